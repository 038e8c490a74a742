import { isSchemaObject } from './map-keywords.js';

type Check = (value: unknown) => boolean;

const TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const isAnything: Check = () => true;
const isBoolean: Check = (value) => typeof value === 'boolean';
const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const isList: Check = Array.isArray;
const isNonEmpty: Check = (value) => isList(value) && (value as unknown[]).length > 0;
const isListOfNames: Check = (value) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isType: Check = (value) =>
  TYPES.has(value) ||
  (isNonEmpty(value) && isListOfNames(value) && (value as unknown[]).every((type) => TYPES.has(type)));
const isSubschema: Check = (value) => typeof value === 'boolean' || isPlainSchema(value);
const isListOfSubschemas: Check = (value) => isNonEmpty(value) && (value as unknown[]).every(isSubschema);
const isNamedSubschemas: Check = (value) => isSchemaObject(value) && Object.values(value).every(isSubschema);

/** The keywords that nearly all tools use, with the values that the meta-schema of 2020-12 allows. */
const CHECKS: ReadonlyMap<string, Check> = new Map([
  ...each(isText, 'title', 'description', 'format', 'pattern', '$comment'),
  ...each(isAnything, 'default', 'const'),
  ...each(isList, 'examples'),
  ...each(isNonEmpty, 'enum'),
  ...each(isType, 'type'),
  ...each(isNumber, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...each(isCount, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...each(isBoolean, 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly'),
  ...each(isListOfNames, 'required'),
  ...each(isSubschema, 'items', 'additionalProperties', 'propertyNames', 'not'),
  ...each(isListOfSubschemas, 'anyOf', 'oneOf', 'allOf'),
  ...each(isNamedSubschemas, 'properties', '$defs'),
]);

function each(check: Check, ...keywords: string[]): [string, Check][] {
  return keywords.map((keyword) => [keyword, check]);
}

/**
 * Returns true if a schema has only common keywords with allowed values, so that it certainly is a JSON Schema of
 * 2020-12. Other schemas are checked with the meta-schema. Loading and compiling the meta-schema takes longer than
 * everything else at the start of the server.
 * @param schema nested at most 200 levels deep
 */
export function isPlainSchema(schema: unknown): boolean {
  return (
    isSchemaObject(schema) && Object.entries(schema).every(([keyword, value]) => CHECKS.get(keyword)?.(value) ?? false)
  );
}
