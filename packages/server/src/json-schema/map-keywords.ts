import type { JsonSchema } from '@mortise/plugin';
import { isJsonObject } from '@mortise/plugin/runtime';

/** Keywords whose value is data and contains no schemas. */
export const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);

/** Keywords whose value is an object of subschemas under names that the author chooses. */
export const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Returns the new value of a keyword; undefined removes the keyword. */
export type MapKeyword = (keyword: string, value: unknown) => unknown;

/**
 * Copies a schema and calls `map` for each keyword of the schema and of its subschemas, but not for data and names.
 * @param isUnchanged true for subschemas that are not copied
 */
export function mapKeywords(
  schema: JsonSchema,
  map: MapKeyword,
  isUnchanged: (subschema: JsonSchema) => boolean = () => false,
): JsonSchema {
  const mapValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mapValue);
    return isSchemaObject(value) && !isUnchanged(value) ? mapKeywords(value, map, isUnchanged) : value;
  };
  const mapNamed = (subschemas: unknown): unknown =>
    isSchemaObject(subschemas)
      ? Object.fromEntries(Object.entries(subschemas).map(([name, value]) => [name, mapValue(value)]))
      : subschemas;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      const mapped = map(keyword, value);
      if (mapped === undefined) return [];
      return [[keyword, DATA.has(keyword) ? mapped : NAMED.has(keyword) ? mapNamed(mapped) : mapValue(mapped)]];
    }),
  );
}

export const isSchemaObject = (schema: unknown): schema is JsonSchema => isJsonObject(schema);
