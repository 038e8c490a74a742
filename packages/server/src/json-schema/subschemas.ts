import type { JsonSchema } from '@mortise/plugin';
import { DATA, isSchemaObject, NAMED } from './map-keywords.js';

/** Keywords whose subschemas apply to the same value as the schema itself, not to a part of the value. */
const SAME_VALUE = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

export interface Subschema {
  readonly schema: JsonSchema;
  /** True if the subschema applies to the same value as the schema itself. */
  readonly isSameValue: boolean;
}

/** Returns the direct subschemas of a schema. An object under an unknown keyword counts as a subschema. */
export function subschemasOf(schema: JsonSchema): Subschema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (DATA.has(keyword)) return [];
    const isSameValue = SAME_VALUE.has(keyword);
    return schemasIn(value, NAMED.has(keyword)).map((item) => ({ schema: item, isSameValue }));
  });
}

function schemasIn(value: unknown, isNamed: boolean): JsonSchema[] {
  if (Array.isArray(value)) return value.flatMap((item) => schemasIn(item, false));
  if (!isSchemaObject(value)) return [];
  return isNamed ? Object.values(value).flatMap((item) => schemasIn(item, false)) : [value];
}
