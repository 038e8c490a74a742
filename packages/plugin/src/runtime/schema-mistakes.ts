import { suggestNames } from '../did-you-mean.js';
import { ownMember } from '../json.js';
import type { JsonSchema } from '../schema.js';
import { quoted } from './quoted.js';

/**
 * Probable mistakes at the root of a valid schema. Each is the rest of a sentence that begins with "The inputSchema".
 */
export function schemaMistakes({ properties, required, ...others }: JsonSchema): string[] {
  const isObject = typeof properties === 'object' && properties !== null;
  const names = new Set(isObject ? Object.keys(properties) : []);
  const mistakes = (Array.isArray(required) && isObject ? required : [])
    .filter((name) => typeof name === 'string' && !names.has(name))
    .map((name) => `requires '${name}', which is not one of its properties`);
  for (const [keyword, meant] of Object.entries(MISSPELT_KEYWORDS)) {
    if (Object.hasOwn(others, keyword))
      mistakes.push(`has the keyword '${keyword}', which JSON Schema ignores (did you mean '${meant}'?)`);
  }
  const flat = Object.keys(others).filter((key) => !isKeyword(key) && looksLikeSchema(others[key]));
  for (const key of flat) mistakes.push(`has '${key}' at its root, which is not a keyword: put it under properties`);
  return mistakes;
}

const MISSPELT_KEYWORDS: Readonly<Record<string, string>> = {
  require: 'required',
  requires: 'required',
  property: 'properties',
  props: 'properties',
  additionalProperty: 'additionalProperties',
};

/** The keywords, of all drafts, whose value is a schema. */
const SCHEMA_KEYWORDS = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** The keywords whose value is an object with any members. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'dependentRequired',
  '$vocabulary',
  'default',
  'const',
]);

const isKeyword = (key: string): boolean =>
  SCHEMA_KEYWORDS.has(key) || MAPS.has(key) || Object.hasOwn(MISSPELT_KEYWORDS, key) || /^(?:x-|\$|~)/.test(key);

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

function looksLikeSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, enum: values, properties, $ref } = value as JsonSchema;
  const isType = [type].flat().every((name) => TYPES.includes(name as string));
  return (
    isType ||
    Array.isArray(values) ||
    typeof $ref === 'string' ||
    (typeof properties === 'object' && properties !== null)
  );
}

/** True if a schema without a type allows only objects: a union or an intersection of object schemas. */
export function isUnionOfObjects(schema: JsonSchema, root = schema, depth = 0): boolean {
  const { type, anyOf, oneOf, allOf, $ref } = schema;
  if (type !== undefined) return type === 'object';
  if (depth > MAX_UNION_DEPTH) return false;
  const isObjects = (inner: unknown) =>
    typeof inner === 'object' && inner !== null && isUnionOfObjects(inner as JsonSchema, root, depth + 1);
  if (typeof $ref === 'string') return isObjects(localSchema(root, $ref));
  if (Array.isArray(allOf) && allOf.some(isObjects)) return true;
  return [anyOf, oneOf].some((choices) => Array.isArray(choices) && choices.length > 0 && choices.every(isObjects));
}

const MAX_UNION_DEPTH = 10;

function localSchema({ $defs, definitions }: JsonSchema, ref: string): unknown {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref)?.[1];
  const defined = { ...(definitions as object), ...($defs as object) } as Record<string, unknown>;
  return name === undefined ? undefined : ownMember(defined, name);
}

/**
 * A common mistake because of which a schema is refused, as the rest of a sentence that begins with "The inputSchema".
 * The server checks the schema itself.
 */
export function schemaFault(schema: unknown, path = '', depth = 0): string | undefined {
  if (typeof schema !== 'object' || schema === null || depth > MAX_FAULT_DEPTH) return undefined;
  const { type, required } = schema as JsonSchema;
  if (path !== '' && typeof required === 'boolean') {
    const name = path.split('/').at(-1)!;
    return `has required: ${required} at ${path}: write required: ['${name}'] beside properties`;
  }
  const unknownType = typeof type === 'string' && !TYPES.includes(type) ? type : undefined;
  if (unknownType !== undefined) {
    const meant = OTHER_TYPES[unknownType.toLowerCase()] ?? suggestNames(unknownType, TYPES, 1)[0];
    const advice = meant === undefined ? `the types are ${TYPES.join(', ')}` : `did you mean '${meant}'?`;
    return `has the type ${quoted(unknownType)} at ${path || 'its root'} (${advice})`;
  }
  for (const [inner, at] of subschemas(schema as JsonSchema)) {
    const fault = schemaFault(inner, `${path}/${at}`, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const MAX_FAULT_DEPTH = 50;

const OTHER_TYPES: Readonly<Record<string, string>> = {
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  str: 'string',
  text: 'string',
  date: 'string',
  list: 'array',
  dict: 'object',
  map: 'object',
  none: 'null',
  nil: 'null',
};

function* subschemas(schema: JsonSchema): Generator<[schema: unknown, at: string]> {
  for (const keyword of ['properties', 'patternProperties', '$defs', 'definitions']) {
    const map = schema[keyword];
    if (typeof map !== 'object' || map === null) continue;
    for (const [name, inner] of Object.entries(map)) yield [inner, `${keyword}/${name}`];
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const [at, inner] of list.entries()) yield [inner, `${keyword}/${at}`];
  }
  for (const keyword of ['items', 'additionalProperties', 'not']) yield [schema[keyword], keyword];
}
