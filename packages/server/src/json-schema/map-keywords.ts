import type { JsonSchema } from '@mortise/plugin';
import { isJsonObject } from '@mortise/plugin/runtime';

/** Keywords whose value is plain data, whatever it looks like. */
export const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);

/** Keywords whose value has subschemas under names of the author's choice. */
export const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Gives the value that a keyword shall have; undefined takes it out. */
export type MapKeyword = (keyword: string, value: unknown) => unknown;

/**
 * A copy of a schema, each keyword of it and of its subschemas put through `map`; data and property names are not.
 * Subschemas for which `isUnchanged` holds stay as they are.
 */
export function mapKeywords(
  schema: JsonSchema,
  map: MapKeyword,
  isUnchanged: (subschema: JsonSchema) => boolean = () => false,
): JsonSchema {
  const ofValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(ofValue);
    return isSchemaObject(value) && !isUnchanged(value) ? mapKeywords(value, map, isUnchanged) : value;
  };
  const ofNamed = (named: unknown): unknown =>
    isSchemaObject(named)
      ? Object.fromEntries(Object.entries(named).map(([name, value]) => [name, ofValue(value)]))
      : named;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      const mapped = map(keyword, value);
      if (mapped === undefined) return [];
      return [[keyword, DATA.has(keyword) ? mapped : NAMED.has(keyword) ? ofNamed(mapped) : ofValue(mapped)]];
    }),
  );
}

/** Whether a schema is an object, and not `true` or `false`. */
export const isSchemaObject = (schema: unknown): schema is JsonSchema => isJsonObject(schema);
