import { isNumber, isSameJson, type Json, numberText } from '../json/json.js';
import type { Conjunction } from './conjunction.js';
import type { SchemaObject } from './schema.js';
import { schemaEngine } from './schema-engine.js';
import { intersectTypes, isOfType, TYPE_LABELS } from './schema-types.js';

/** A rule of a keyword: how it is said beforehand, and whether a value breaks it. */
interface Rule {
  readonly keyword: string;
  readonly type: 'string' | 'number' | 'array' | 'object';
  say(limit: unknown): string | undefined;
  isBroken(value: never, limit: never): boolean;
}

const length = (text: string) => [...text].length;
const members = (value: object) => Object.values(value).filter((member) => member !== undefined).length;
const several = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const RULES: readonly Rule[] = [
  {
    keyword: 'minLength',
    type: 'string',
    say: (n) => (n === 0 ? undefined : `at least ${several(n, 'character')}`),
    isBroken: (v: string, n: number) => length(v) < n,
  },
  {
    keyword: 'maxLength',
    type: 'string',
    say: (n) => `at most ${several(n, 'character')}`,
    isBroken: (v: string, n: number) => length(v) > n,
  },
  {
    keyword: 'pattern',
    type: 'string',
    say: (p) => `matches ${p}`,
    isBroken: (v: string, p: string) => !testPattern(p, v),
  },
  {
    keyword: 'format',
    type: 'string',
    say: (f) => FORMAT_HINTS[String(f)] ?? `${f}`,
    isBroken: (v: string, f: string) => f !== 'regex' && schemaEngine()?.format[f]?.(v) === false,
  },
  { keyword: 'minimum', type: 'number', say: (n) => `at least ${n}`, isBroken: (v: number, n: number) => v < n },
  { keyword: 'maximum', type: 'number', say: (n) => `at most ${n}`, isBroken: (v: number, n: number) => v > n },
  {
    keyword: 'exclusiveMinimum',
    type: 'number',
    say: (n) => `more than ${n}`,
    isBroken: (v: number, n: number) => v <= n,
  },
  {
    keyword: 'exclusiveMaximum',
    type: 'number',
    say: (n) => `less than ${n}`,
    isBroken: (v: number, n: number) => v >= n,
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    say: (n) => `a multiple of ${n}`,
    isBroken: (v: number, n: number) => !isMultiple(v, n),
  },
  {
    keyword: 'minItems',
    type: 'array',
    say: (n) => (n === 0 ? undefined : `at least ${several(n, 'item')}`),
    isBroken: (v: Json[], n: number) => v.length < n,
  },
  {
    keyword: 'maxItems',
    type: 'array',
    say: (n) => `at most ${several(n, 'item')}`,
    isBroken: (v: Json[], n: number) => v.length > n,
  },
  {
    keyword: 'uniqueItems',
    type: 'array',
    say: (on) => (on ? 'no item twice' : undefined),
    isBroken: (v: Json[], on: boolean) => on && hasTwice(v),
  },
  {
    keyword: 'minProperties',
    type: 'object',
    say: (n) => `at least ${several(n, 'member')}`,
    isBroken: (v: object, n: number) => members(v) < n,
  },
  {
    keyword: 'maxProperties',
    type: 'object',
    say: (n) => `at most ${several(n, 'member')}`,
    isBroken: (v: object, n: number) => members(v) > n,
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
  password: 'a secret: it is not kept',
};

/** The rules of a place in words, and those that its value breaks. */
export function checkValue(
  value: Json | undefined,
  { parts, isNullable, constants, isImpossible }: Conjunction,
  isRequired: boolean,
): { rules: string[]; issues: string[] } {
  const applicable = parts.flatMap((part) =>
    RULES.filter(({ keyword }) => part[keyword] !== undefined).map((rule) => ({ rule, limit: part[rule.keyword] })),
  );
  const rules = [...new Set(applicable.flatMap(({ rule, limit }) => rule.say(limit) ?? []))];
  return { rules, issues: [...new Set(issuesOf())] };

  function issuesOf(): string[] {
    if (value === undefined) return isRequired ? ['This value is required.'] : [];
    if (isImpossible) return ['No value is allowed here.'];
    if (value === null && isNullable) return [];
    const types = intersectTypes(parts);
    if (types !== undefined && !isOfOneType(value, types)) return [`This must be ${namesOf(types)}.`];
    const allowed = allowedValues(parts) ?? constants?.map((constant) => constant.value);
    if (allowed !== undefined && !allowed.some((one) => isSameJson(one, value))) {
      return [
        `This must be ${allowed
          .slice(0, 10)
          .map((one) => JSON.stringify(one))
          .join(' or ')}.`,
      ];
    }
    return applicable
      .filter(({ rule, limit }) => breaks(value, rule, limit))
      .map(({ rule, limit }) => `This must be ${toPhrase(rule, limit)}.`);
  }
}

function toPhrase(rule: Rule, limit: unknown): string {
  const said = rule.say(limit) ?? rule.keyword;
  if (rule.keyword === 'pattern') return `text that ${said}`;
  if (rule.keyword === 'uniqueItems') return 'a list with no item twice';
  return rule.type === 'string' && rule.keyword !== 'format' ? `${said} long` : said;
}

function breaks(value: Json, rule: Rule, limit: unknown): boolean {
  if (!isOfType(value, rule.type)) return false;
  const comparable = isNumber(value) ? Number(numberText(value)) : value;
  return rule.isBroken(comparable as never, limit as never);
}

/** Whole numbers are told by their digits, also those that a double cannot hold. */
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
  return first?.filter((value) => others.every((list) => list.some((one) => isSameJson(one, value))));
}

function testPattern(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** By decimals, as the server does it (docs/spec/arguments.md#multiple-of). */
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

function hasTwice(items: readonly Json[]): boolean {
  return items.some((item, index) => items.slice(0, index).some((other) => isSameJson(item, other)));
}
