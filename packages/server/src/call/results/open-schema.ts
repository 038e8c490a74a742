import type { JsonSchema } from '@mortise/plugin';
import { isJsonObject } from '@mortise/plugin/runtime';

/**
 * Keywords whose subschemas apply to the arguments object itself. `oneOf` is not one: if its branches allowed more
 * members, several could match.
 */
const SAME_OBJECT_KEYWORDS = ['allOf', 'anyOf'] as const;

/**
 * Returns the inputSchema for clients, which allows additional arguments, so that hosts that validate against it can
 * send `machineReadable` and `unsafeOutput`. The server validates against the original schema. A schema with `$schema`
 * is returned unchanged, because MCP's conformance suite requires that.
 */
export function openSchema(schema: JsonSchema): JsonSchema {
  return schema.$schema === undefined ? (open(schema, schema) as JsonSchema) : schema;
}

function open(schema: unknown, root: JsonSchema): unknown {
  if (!isJsonObject(schema)) return schema;
  const opened: Record<string, unknown> = { ...schema };
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    if (opened[keyword] === false) delete opened[keyword];
  }
  for (const keyword of SAME_OBJECT_KEYWORDS) {
    const parts = opened[keyword];
    if (Array.isArray(parts)) opened[keyword] = parts.map((part) => open(part, root));
  }
  return schema === root ? withOpenDefinition(opened) : opened;
}

/** Opens the definition that the root refers to, if the root is a `$ref` into its own definitions. */
function withOpenDefinition(root: Record<string, unknown>): Record<string, unknown> {
  const [, keyword, name] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(String(root.$ref ?? '')) ?? [];
  const definitions = keyword === undefined ? undefined : (root[keyword] as Record<string, unknown> | undefined);
  if (definitions === undefined || !Object.hasOwn(definitions, name!)) return root;
  return { ...root, [keyword!]: { ...definitions, [name!]: open(definitions[name!], {}) } };
}
