// Checks values against the JSON Schema keywords that the table of settings uses. Ajv would delay the start: on a busy
// machine with two cores it needs 17 ms of processor time to load, and 480 to 520 ms to compile the schema. The code
// that its standalone mode generates has 447 kB; it needs 14 ms to load and 20 to 28 ms for the first call. This file
// needs 1 ms. test/settings/check-schema.property.test.ts compares its answers with Ajv's.
import type { SettingSchema } from './setting-schema.js';

/** The keys and indices that lead from the root of the configuration to a setting. */
export type SettingPath = readonly (string | number)[];

/** One way in which a value violates its schema. */
export interface Violation {
  /** `value` stands for all keywords about a single value, such as `type`; the others are keywords of objects. */
  readonly keyword: 'value' | 'additionalProperties' | 'required' | 'dependencies' | 'oneOf';
  /** The path of the value. For `additionalProperties`, `required` and `dependencies`: the path of the member. */
  readonly path: SettingPath;
  /** The schema that contains the keyword. */
  readonly schema: SettingSchema;
  /** The value that was checked against `schema`. */
  readonly value: unknown;
}

/** Returns all violations in the value. `undefined` stands for a value that could not be read; it violates nothing. */
export function violations(value: unknown, schema: SettingSchema, path: SettingPath = []): Violation[] {
  if (value === undefined) return [];
  if (schema.anyOf) return violationsOfAny(value, schema, path);
  if (!isAllowed(value, schema)) return [{ keyword: 'value', path, schema, value }];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, at) => violations(item, items, [...path, at])) : [];
  }
  return isObject(value) ? violationsOfObject(value, schema, path) : [];
}

/** Checks a value against alternatives. If one of them is a list and so is the value, reports the list's violations. */
function violationsOfAny(value: unknown, schema: SettingSchema, path: SettingPath): Violation[] {
  const checks = schema.anyOf!.map((branch) => ({ branch, problems: violations(value, branch, path) }));
  if (checks.some(({ problems }) => problems.length === 0)) return [];
  const listCheck = Array.isArray(value) ? checks.find(({ branch }) => branch.type === 'array') : undefined;
  return listCheck?.problems ?? [{ keyword: 'value', path, schema, value }];
}

function violationsOfObject(value: Record<string, unknown>, schema: SettingSchema, path: SettingPath): Violation[] {
  const { properties = {}, additionalProperties, required = [], dependencies = {}, oneOf } = schema;
  const has = (name: string) => Object.hasOwn(value, name);
  const violation = (keyword: Violation['keyword'], name?: string): Violation => ({
    keyword,
    path: name === undefined ? path : [...path, name],
    schema,
    value,
  });
  const additionalNames = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const unmetDependencies = Object.entries(dependencies).filter(([name, needed]) => has(name) && !needed.every(has));
  return [
    ...(additionalProperties === false ? additionalNames.map((name) => violation('additionalProperties', name)) : []),
    ...required.filter((name) => !has(name)).map((name) => violation('required', name)),
    ...unmetDependencies.map(([name]) => violation('dependencies', name)),
    ...(oneOf && oneOf.filter(({ required: [name] }) => has(name)).length !== 1 ? [violation('oneOf')] : []),
    ...Object.entries(properties).flatMap(([name, member]) =>
      has(name) ? violations(value[name], member, [...path, name]) : [],
    ),
    ...(additionalProperties
      ? additionalNames.flatMap((name) => violations(value[name], additionalProperties, [...path, name]))
      : []),
  ];
}

function isAllowed(
  value: unknown,
  { type, enum: choices, minimum, maximum, minLength, pattern, format }: SettingSchema,
) {
  if (type !== undefined && !IS_TYPE[type](value)) return false;
  if (choices !== undefined && !(choices as readonly unknown[]).includes(value)) return false;
  if (typeof value === 'number') return value >= (minimum ?? value) && value <= (maximum ?? value);
  if (typeof value !== 'string') return true;
  const isLongEnough = minLength === undefined || [...value].length >= minLength;
  return isLongEnough && matches(value, pattern) && (format === undefined || URL.canParse(value));
}

/** True if the text matches the pattern of a JSON Schema, or if there is no pattern. */
export const matches = (text: string, pattern: string | undefined): boolean =>
  pattern === undefined || regExpOf(pattern).test(text);

const regExps = new Map<string, RegExp>();

function regExpOf(pattern: string): RegExp {
  const regExp = regExps.get(pattern) ?? new RegExp(pattern, 'u');
  regExps.set(pattern, regExp);
  return regExp;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const IS_TYPE: Readonly<Record<NonNullable<SettingSchema['type']>, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  object: isObject,
};
