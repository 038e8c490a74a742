import { isNumber, isSameJson, type Json, numberText } from '../json/json.js';
import type { Conjunction } from './conjunction.js';
import type { SchemaObject } from './schema.js';
import { schemaEngine } from './schema-engine.js';
import { intersectTypes, isOfType, TYPE_LABELS } from './schema-types.js';

interface Rule {
  readonly keyword: string;
  /** Values of other types satisfy the rule. */
  readonly type: 'string' | 'number' | 'array' | 'object';
  /** A short text for the hint of the field; undefined if the limit allows everything. */
  describe(limit: unknown): string | undefined;
  isBroken(value: never, limit: never): boolean;
}

const lengthOf = (text: string) => [...text].length;
const memberCount = (value: object) => Object.values(value).filter((member) => member !== undefined).length;
const counted = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const RULES: readonly Rule[] = [
  {
    keyword: 'minLength',
    type: 'string',
    describe: (n) => (n === 0 ? undefined : `at least ${counted(n, 'character')}`),
    isBroken: (v: string, n: number) => lengthOf(v) < n,
  },
  {
    keyword: 'maxLength',
    type: 'string',
    describe: (n) => `at most ${counted(n, 'character')}`,
    isBroken: (v: string, n: number) => lengthOf(v) > n,
  },
  {
    keyword: 'pattern',
    type: 'string',
    describe: (p) => `matches ${p}`,
    isBroken: (v: string, p: string) => !testPattern(p, v),
  },
  {
    keyword: 'format',
    type: 'string',
    describe: (f) => FORMAT_HINTS[String(f)] ?? `${f}`,
    isBroken: (v: string, f: string) => f !== 'regex' && schemaEngine()?.format[f]?.(v) === false,
  },
  { keyword: 'minimum', type: 'number', describe: (n) => `at least ${n}`, isBroken: (v: number, n: number) => v < n },
  { keyword: 'maximum', type: 'number', describe: (n) => `at most ${n}`, isBroken: (v: number, n: number) => v > n },
  {
    keyword: 'exclusiveMinimum',
    type: 'number',
    describe: (n) => `more than ${n}`,
    isBroken: (v: number, n: number) => v <= n,
  },
  {
    keyword: 'exclusiveMaximum',
    type: 'number',
    describe: (n) => `less than ${n}`,
    isBroken: (v: number, n: number) => v >= n,
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    describe: (n) => `a multiple of ${n}`,
    isBroken: (v: number, n: number) => !isMultiple(v, n),
  },
  {
    keyword: 'minItems',
    type: 'array',
    describe: (n) => (n === 0 ? undefined : `at least ${counted(n, 'item')}`),
    isBroken: (v: Json[], n: number) => v.length < n,
  },
  {
    keyword: 'maxItems',
    type: 'array',
    describe: (n) => `at most ${counted(n, 'item')}`,
    isBroken: (v: Json[], n: number) => v.length > n,
  },
  {
    keyword: 'uniqueItems',
    type: 'array',
    describe: (on) => (on ? 'only different items' : undefined),
    isBroken: (v: Json[], on: boolean) => on && hasDuplicates(v),
  },
  {
    keyword: 'minProperties',
    type: 'object',
    describe: (n) => `at least ${counted(n, 'member')}`,
    isBroken: (v: object, n: number) => memberCount(v) < n,
  },
  {
    keyword: 'maxProperties',
    type: 'object',
    describe: (n) => `at most ${counted(n, 'member')}`,
    isBroken: (v: object, n: number) => memberCount(v) > n,
  },
];

const FORMAT_HINTS: Readonly<Record<string, string>> = {
  'date-time': 'a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 12:00:00Z',
  duration: 'a duration such as PT5M',
  email: 'an email address',
  uri: 'a URL with its scheme',
  'uri-reference': 'a URL or a path',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  hostname: 'a host name',
  regex: 'a regular expression',
  password: 'a secret, which the page does not keep',
};

/**
 * Checks a value against the schemas of its place. Does not check members and items, because they have their own fields.
 * @returns `rules`: short texts about the limits, such as `at least 3 characters`; `issues`: a sentence for each fault
 */
export function checkValue(
  value: Json | undefined,
  { parts, isNullable, constants, isImpossible }: Conjunction,
  isRequired: boolean,
): { rules: string[]; issues: string[] } {
  const applicable = parts.flatMap((part) =>
    RULES.filter(({ keyword }) => part[keyword] !== undefined).map((rule) => ({ rule, limit: part[rule.keyword] })),
  );
  const rules = [...new Set(applicable.flatMap(({ rule, limit }) => rule.describe(limit) ?? []))];
  return { rules, issues: [...new Set(issuesOf())] };

  function issuesOf(): string[] {
    if (value === undefined) return isRequired ? ['This value is required.'] : [];
    if (isImpossible) return ['No value is allowed here.'];
    if (value === null && isNullable) return [];
    const types = intersectTypes(parts);
    if (types !== undefined && !isOfOneType(value, types)) return [`This must be ${namesOf(types)}.`];
    const allowed = allowedValues(parts) ?? constants?.map((constant) => constant.value);
    if (allowed !== undefined && !allowed.some((allowedValue) => isSameJson(allowedValue, value))) {
      return [allowed.length === 0 ? 'No value is allowed here.' : `This must be ${listOf(allowed)}.`];
    }
    return applicable
      .filter(({ rule, limit }) => isRuleBroken(value, rule, limit))
      .map(({ rule, limit }) => `This must ${toPhrase(rule, limit)}.`);
  }
}

const MAX_LISTED_VALUES = 10;

function listOf(values: readonly Json[]): string {
  const listed = values.slice(0, MAX_LISTED_VALUES).map((value) => JSON.stringify(value));
  const otherCount = values.length - listed.length;
  return [...listed, ...(otherCount > 0 ? [`one of ${counted(otherCount, 'other value')}`] : [])].join(' or ');
}

/** Returns the rule as the rest of a sentence that begins with `This must`. */
function toPhrase(rule: Rule, limit: unknown): string {
  const description = rule.describe(limit) ?? rule.keyword;
  if (rule.keyword === 'pattern') return `be text that ${description}`;
  if (rule.type === 'array' || rule.type === 'object') return `have ${description}`;
  return rule.type === 'string' && rule.keyword !== 'format' ? `be ${description} long` : `be ${description}`;
}

function isRuleBroken(value: Json, rule: Rule, limit: unknown): boolean {
  if (!isOfType(value, rule.type)) return false;
  const comparable = isNumber(value) ? Number(numberText(value)) : value;
  return rule.isBroken(comparable as never, limit as never);
}

/** An integer is recognised by its digits, because a double may not hold all of them. */
function isOfOneType(value: Json, types: ReadonlySet<string>): boolean {
  return [...types].some((type) => isOfType(value, type) && (type !== 'integer' || isWhole(value)));
}

function isWhole(value: Json): boolean {
  return isNumber(value) && Number.isInteger(Number(numberText(value))) && !/\.\d*[1-9]/.test(numberText(value));
}

function namesOf(types: ReadonlySet<string>): string {
  const names: Record<string, string> = {
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    object: 'an object',
    array: 'a list',
    null: 'null',
  };
  return [...types].map((type) => names[type] ?? TYPE_LABELS[type] ?? type).join(' or ');
}

function allowedValues(parts: readonly SchemaObject[]): Json[] | undefined {
  const lists = parts.flatMap((part) =>
    'const' in part ? [[part.const as Json]] : Array.isArray(part.enum) ? [part.enum as Json[]] : [],
  );
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((other) => isSameJson(other, value))));
}

/** Returns true also for an invalid pattern, because then the server decides. */
function testPattern(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** Compares decimal digits, as the server does (docs/spec/arguments.md#multiple-of). */
function isMultiple(value: number, divisor: number): boolean {
  if (!(divisor > 0)) return true;
  const digits = Math.max(decimals(value), decimals(divisor));
  if (digits > 15) return true;
  const scale = 10 ** digits;
  return Math.round(value * scale) % Math.round(divisor * scale) === 0;
}

function decimals(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

function hasDuplicates(items: readonly Json[]): boolean {
  return items.some((item, index) => items.slice(0, index).some((other) => isSameJson(item, other)));
}
