// Checks a value by the keywords of JSON Schema that the table of settings uses, because a start has no time for Ajv. On a busy machine
// with two cores, Ajv takes 17 ms of processor time to load and 480 to 520 ms to compile this schema; the code of its standalone mode is
// 447 kB, which take 14 ms to load and 20 to 28 ms in the first call. This file takes 1 ms.
// test/settings/check-schema.property.test.ts compares its answers with Ajv's.
import type { SettingSchema } from './setting-schema.js';

/** Keys and indices from the whole configuration to a setting. */
export type SettingPath = readonly (string | number)[];

/** What a schema does not allow. */
export interface Violation {
  /** `value`: any of the keywords that say what a single value is like; the others are keywords of objects. */
  readonly keyword: 'value' | 'additionalProperties' | 'required' | 'dependencies' | 'oneOf';
  /** For `additionalProperties`, `required` and `dependencies`: that of the member. */
  readonly path: SettingPath;
  /** The schema with the keyword. */
  readonly schema: SettingSchema;
  /** The value that the schema is for. */
  readonly value: unknown;
}

/** Everything in the value that the schema does not allow. `undefined` stands for a value that is not known, and is allowed. */
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

/** Where a value is a list, and may be one, its items say what is wrong. */
function violationsOfAny(value: unknown, schema: SettingSchema, path: SettingPath): Violation[] {
  const tried = schema.anyOf!.map((branch) => ({ branch, found: violations(value, branch, path) }));
  if (tried.some(({ found }) => found.length === 0)) return [];
  const ofList = Array.isArray(value) ? tried.find(({ branch }) => branch.type === 'array') : undefined;
  return ofList?.found ?? [{ keyword: 'value', path, schema, value }];
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
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const unmet = Object.entries(dependencies).filter(([name, needed]) => has(name) && !needed.every(has));
  return [
    ...(additionalProperties === false ? others.map((name) => violation('additionalProperties', name)) : []),
    ...required.filter((name) => !has(name)).map((name) => violation('required', name)),
    ...unmet.map(([name]) => violation('dependencies', name)),
    ...(oneOf && oneOf.filter(({ required: [name] }) => has(name)).length !== 1 ? [violation('oneOf')] : []),
    ...Object.entries(properties).flatMap(([name, member]) =>
      has(name) ? violations(value[name], member, [...path, name]) : [],
    ),
    ...(additionalProperties
      ? others.flatMap((name) => violations(value[name], additionalProperties, [...path, name]))
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

/** Whether a text has this pattern, as JSON Schema understands it. */
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
