import { isObject } from '../json/json.js';
import type { SchemaObject } from './schema.js';

export const TYPE_LABELS: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  object: 'Object',
  array: 'List',
  null: 'null',
};

export const ALL_TYPES = ['string', 'number', 'boolean', 'object', 'array', 'null'];

export function typesOf(schema: SchemaObject): string[] {
  if (typeof schema.type === 'string') return [schema.type];
  return Array.isArray(schema.type) ? schema.type.filter((type) => typeof type === 'string') : [];
}

/** The types that all parts allow; undefined if no part has the keyword `type`. */
export function intersectTypes(parts: readonly SchemaObject[]): Set<string> | undefined {
  let common: Set<string> | undefined;
  for (const part of parts) {
    const types = typesOf(part);
    if (types.length === 0) continue;
    const previous: Set<string> | undefined = common;
    common = new Set(previous === undefined ? types : types.flatMap((type) => overlap(type, previous)));
  }
  return common;
}

function overlap(type: string, others: ReadonlySet<string>): string[] {
  if (others.has(type)) return [type];
  if (type === 'integer' && others.has('number')) return ['integer'];
  return type === 'number' && others.has('integer') ? ['integer'] : [];
}

const KEYWORDS_OF_TYPE: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'minProperties',
      'maxProperties',
      'dependentRequired',
      'unevaluatedProperties',
    ],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'unevaluatedItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** Infers the types of schemas without `type` from their keywords; undefined if no keyword belongs to a type. */
export function inferredTypes(parts: readonly SchemaObject[]): string[] | undefined {
  const types = KEYWORDS_OF_TYPE.filter(([, keywords]) => parts.some((part) => keywords.some((word) => word in part)));
  return types.length > 0 ? types.map(([type]) => type) : undefined;
}

export function hasNoType(parts: readonly SchemaObject[]): boolean {
  return inferredTypes(parts) === undefined;
}

/** Checks the type of a value. Every number is accepted as an `integer`. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' ||
        (typeof value === 'object' && value !== null && !Array.isArray(value) && !isObject(value))
      );
    default:
      return typeof value === type;
  }
}
