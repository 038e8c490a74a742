import type { JsonObject, JsonValue } from '../json.js';
import { isJsonObject } from '../runtime/to-json-value.js';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']);

/** What is wrong with a JSON Schema at first sight; the server checks the whole against the meta-schema. */
export function schemaProblems(schema: JsonValue, path = ''): string[] {
  if (typeof schema === 'boolean') return [];
  if (!isJsonObject(schema)) return [`${path || 'the root'} is not a schema`];
  const own = CHECKS.flatMap((check) => check(schema)).map((problem) => `${path || 'the root'}: ${problem}`);
  return [
    ...own,
    ...subschemas(schema).flatMap(([name, sub]) => schemaProblems(sub, path === '' ? name : `${path}.${name}`)),
  ];
}

const CHECKS: ((schema: JsonObject) => string[])[] = [
  ({ type }) => {
    const types = Array.isArray(type) ? type : [type];
    return type === undefined || types.every((item) => TYPES.has(item as string))
      ? []
      : [`unknown type ${JSON.stringify(type)}`];
  },
  ({ properties }) => (properties === undefined || isJsonObject(properties) ? [] : ['properties is not an object']),
  ({ required, properties }) => {
    if (required === undefined) return [];
    if (!Array.isArray(required)) return ['required is not an array'];
    if (!isJsonObject(properties)) return [];
    return required
      .filter((name) => !Object.hasOwn(properties, String(name)))
      .map((name) => `required '${name}' is not a property`);
  },
  ({ enum: values }) =>
    values === undefined || (Array.isArray(values) && values.length > 0) ? [] : ['enum is not a list of values'],
  ({ pattern }) => (pattern === undefined || isPattern(pattern) ? [] : ['pattern is not a regular expression']),
];

function isPattern(pattern: JsonValue): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') !== null;
  } catch {
    return false;
  }
}

function subschemas({ properties, items, additionalProperties }: JsonObject): [string, JsonValue][] {
  return [
    ...Object.entries(isJsonObject(properties) ? properties : {}),
    ...(items !== undefined && !Array.isArray(items) ? [['items', items] as [string, JsonValue]] : []),
    ...(additionalProperties !== undefined
      ? [['additionalProperties', additionalProperties] as [string, JsonValue]]
      : []),
  ];
}
