import type { JsonSchema } from '@mortise/plugin';
import { DATA, isSchemaObject, NAMED } from './map-keywords.js';

/**
 * Replaces each `$dynamicRef` with a `$ref`, because Ajv resolves a `$dynamicRef` to the root if it has not reached the
 * anchor yet. Both mean the same in a schema that is a single resource, in which an anchor has only one place. A schema
 * with an `$id` below its root is returned unchanged.
 */
export function resolveDynamicReferences(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  return text.includes('"$dynamicRef"') && !hasNestedId(schema) ? (convertNode(schema) as JsonSchema) : schema;
}

function hasNestedId(schema: JsonSchema): boolean {
  const { $id: _root, ...rest } = schema;
  return JSON.stringify(rest).includes('"$id"');
}

function convertNode(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convertNode);
  if (!isSchemaObject(node)) return node;
  const { $dynamicRef, ...others } = Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [keyword, convertValue(keyword, value)]),
  );
  if ($dynamicRef === undefined) return others;
  if (others.$ref === undefined) return { ...others, $ref: $dynamicRef };
  return { ...others, allOf: [...((others.allOf as unknown[] | undefined) ?? []), { $ref: $dynamicRef }] };
}

function convertValue(keyword: string, value: unknown): unknown {
  if (DATA.has(keyword)) return value;
  if (!NAMED.has(keyword) || !isSchemaObject(value)) return convertNode(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, convertNode(schema)]));
}
