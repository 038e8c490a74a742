import type { JsonSchema } from '@mortise/plugin';
import { DATA, isSchemaObject, NAMED } from './map-keywords.js';

/**
 * The schema with each `$dynamicRef` as a `$ref`. The two mean the same in a schema that is one resource, because there is
 * only one place that an anchor can be; Ajv takes a `$dynamicRef` whose anchor it has not entered yet for the root. A schema
 * with an `$id` below its root is returned as it is.
 */
export function resolveDynamicReferences(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  return text.includes('"$dynamicRef"') && !hasResources(schema) ? (converted(schema) as JsonSchema) : schema;
}

function hasResources(schema: JsonSchema): boolean {
  const { $id: _root, ...rest } = schema;
  return JSON.stringify(rest).includes('"$id"');
}

function converted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(converted);
  if (!isSchemaObject(node)) return node;
  const { $dynamicRef, ...others } = Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [keyword, convertedValue(keyword, value)]),
  );
  if ($dynamicRef === undefined) return others;
  if (others.$ref === undefined) return { ...others, $ref: $dynamicRef };
  return { ...others, allOf: [...((others.allOf as unknown[] | undefined) ?? []), { $ref: $dynamicRef }] };
}

function convertedValue(keyword: string, value: unknown): unknown {
  if (DATA.has(keyword)) return value;
  if (!NAMED.has(keyword) || !isSchemaObject(value)) return converted(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, converted(schema)]));
}
