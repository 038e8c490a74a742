import type { JsonSchema } from '@mortise/plugin';
import { isJsonObject } from '@mortise/plugin/runtime';

/** Keywords whose subschemas are about the same object, where opening one cannot make another match. */
const SAME_OBJECT = ['allOf', 'anyOf'] as const;

/**
 * An inputSchema as clients see it: it does not forbid additional members of the arguments, so that hosts that validate
 * against it can send `machineReadable` and `unsafeOutput`. The server itself validates against the original schema.
 * A schema that names its dialect is not changed, because MCP's conformance suite requires that.
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
  for (const keyword of SAME_OBJECT) {
    const parts = opened[keyword];
    if (Array.isArray(parts)) opened[keyword] = parts.map((part) => open(part, root));
  }
  return schema === root ? withOpenTarget(opened) : opened;
}

/** A root that is only a reference into its own definitions: the arguments are what it refers to. */
function withOpenTarget(root: Record<string, unknown>): Record<string, unknown> {
  const [, keyword, name] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(String(root.$ref ?? '')) ?? [];
  const definitions = keyword === undefined ? undefined : (root[keyword] as Record<string, unknown> | undefined);
  if (definitions === undefined || !Object.hasOwn(definitions, name!)) return root;
  return { ...root, [keyword!]: { ...definitions, [name!]: open(definitions[name!], {}) } };
}
