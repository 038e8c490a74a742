import { DefinitionError } from '../definition-error.js';
import { isJsonObject, ownMember } from '../json.js';
import type { JsonSchema } from '../schema.js';
import type { StandardIssue, StandardResult } from '../standard-schema.js';

// Settings and answers are validated by this interpreter of JSON Schema, because each plugin loads it when its process
// starts: @cfworker/json-schema would make the package nearly twice as large (97 KB instead of 52) and its import 1.5
// ms slower (14.2 ms instead of 12.7). It also fills in no defaults, and its messages contain values, which may be
// secret.

type Path = readonly (string | number)[];
type Value = unknown;
type Members = Record<string, Value>;
type Report = (issue: StandardIssue) => void;

/** Validates a value and returns it with its defaults filled in. */
type Check = (value: Value, schema: Members, path: Path, report: Report) => Value;

const ANNOTATIONS = [
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
];
const WITHOUT_EFFECT = ['readOnly', 'writeOnly', 'enumNames', 'contentEncoding', 'contentMediaType'];

/** The formats that are validated: those that MCP has for questions. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text) && URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text),
  'date-time': (text) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i.test(text) && isDay(text.slice(0, 10)),
};

/** Date.parse accepts 31 February as a day in March. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const TYPES: Readonly<Record<string, (value: Value) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isJsonObject,
};

/** Keywords with a limit: the types that they apply to, the comparison, and the message. */
const LIMITS: Readonly<
  Record<string, [applies: (value: Value) => boolean, fits: (value: never, limit: never) => boolean, words: string]>
> = {
  minimum: [TYPES.number!, (value: number, limit: number) => value >= limit, 'must be at least %'],
  maximum: [TYPES.number!, (value: number, limit: number) => value <= limit, 'must be at most %'],
  exclusiveMinimum: [TYPES.number!, (value: number, limit: number) => value > limit, 'must be more than %'],
  exclusiveMaximum: [TYPES.number!, (value: number, limit: number) => value < limit, 'must be less than %'],
  multipleOf: [TYPES.number!, (value: number, of: number) => Number.isInteger(value / of), 'must be a multiple of %'],
  minLength: [
    TYPES.string!,
    (value: string, limit: number) => [...value].length >= limit,
    'must have at least % characters',
  ],
  maxLength: [
    TYPES.string!,
    (value: string, limit: number) => [...value].length <= limit,
    'must have at most % characters',
  ],
  pattern: [TYPES.string!, (value: string, pattern: string) => new RegExp(pattern, 'u').test(value), 'must match %'],
  format: [
    TYPES.string!,
    (value: string, name: string) => ownMember(FORMATS, name)?.(value) ?? true,
    'must be a valid %',
  ],
  minItems: [TYPES.array!, (value: Value[], limit: number) => value.length >= limit, 'must have at least % entries'],
  maxItems: [TYPES.array!, (value: Value[], limit: number) => value.length <= limit, 'must have at most % entries'],
};

const listOfTypes = (type: Value): Value[] => (Array.isArray(type) ? type : [type]);
const isSame = (a: Value, b: Value) => JSON.stringify(a) === JSON.stringify(b);

const KEYWORDS: Readonly<Record<string, Check>> = {
  type(value, { type }, path, report) {
    if (!listOfTypes(type).some((name) => ownMember(TYPES, String(name))?.(value)))
      report({ path, message: `must be ${listOfTypes(type).join(' or ')}` });
    return value;
  },
  enum: (value, { enum: values }, path, report) => oneOfValues(value, values as Value[], path, report),
  const(value, { const: only }, path, report) {
    if (!isSame(only, value)) report({ path, message: `must be ${JSON.stringify(only)}` });
    return value;
  },
  properties(value, { properties }, path, report) {
    if (!isJsonObject(value)) return value;
    const members: Members = { ...value };
    for (const [name, schema] of Object.entries(properties as Members)) {
      const member = Object.hasOwn(value, name) ? value[name] : copyOf((schema as Members).default);
      if (member !== undefined) members[name] = check(member, schema, [...path, name], report);
    }
    return members;
  },
  required(value, { required, properties = {} }, path, report) {
    for (const name of isJsonObject(value) ? (required as string[]) : []) {
      const hasDefault = ownMember(properties as Record<string, Members>, name)?.default !== undefined;
      if (ownMember(value as Members, name) === undefined && !hasDefault)
        report({ path: [...path, name], message: 'is required' });
    }
    return value;
  },
  additionalProperties(value, { additionalProperties, properties = {} }, path, report) {
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([name, member]): [string, Value] => {
      if (Object.hasOwn(properties as object, name)) return [name, member];
      if (additionalProperties === false) report({ path: [...path, name], message: 'is not a known property' });
      return [name, check(member, additionalProperties, [...path, name], report)];
    });
    return Object.fromEntries(entries);
  },
  items(value, { items }, path, report) {
    return Array.isArray(value) ? value.map((item, at) => check(item, items, [...path, at], report)) : value;
  },
  uniqueItems(value, { uniqueItems }, path, report) {
    const texts = uniqueItems && Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [];
    if (new Set(texts).size < texts.length) report({ path, message: 'must not contain an entry twice' });
    return value;
  },
  anyOf: (value, { anyOf }, path, report) => firstFit(value, anyOf as Value[], path, report),
  oneOf: (value, { oneOf }, path, report) => firstFit(value, oneOf as Value[], path, report),
  allOf: (value, { allOf }, path, report) =>
    (allOf as Value[]).reduce((checked, schema) => check(checked, schema, path, report), value),
  ...Object.fromEntries(
    Object.entries(LIMITS).map(([keyword, [applies, fits, words]]): [string, Check] => [
      keyword,
      (value, schema, path, report) => {
        const limit = schema[keyword];
        if (applies(value) && !fits(value as never, limit as never))
          report({ path, message: words.replace('%', () => String(limit)) });
        return value;
      },
    ]),
  ),
};

function oneOfValues(value: Value, allowed: Value[], path: Path, report: Report): Value {
  if (!allowed.some((one) => isSame(one, value)))
    report({ path, message: `must be one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}` });
  return value;
}

function firstFit(value: Value, schemas: Value[], path: Path, report: Report): Value {
  const isConstant = (schema: Value) => isJsonObject(schema) && schema.const !== undefined;
  if (schemas.every(isConstant)) {
    const constants = schemas.map((schema) => (schema as Members).const);
    return oneOfValues(value, constants, path, report);
  }
  let first: StandardIssue[] | undefined;
  for (const schema of schemas) {
    const issues: StandardIssue[] = [];
    const checked = check(value, schema, path, (issue) => issues.push(issue));
    if (issues.length === 0) return checked;
    first ??= issues;
  }
  if (first?.[0])
    report(
      first.length === 1 && schemas.length === 1 ? first[0] : { path, message: 'matches none of the allowed forms' },
    );
  return value;
}

function check(value: Value, schema: Value, path: Path, report: Report): Value {
  if (!isJsonObject(schema)) return value;
  return Object.keys(schema).reduce(
    (checked, keyword) => ownMember(KEYWORDS, keyword)?.(checked, schema, path, report) ?? checked,
    value,
  );
}

/**
 * Creates a validator for the JSON Schema keywords that settings and answers use. It fills in defaults.
 * @throws DefinitionError for any other keyword, because ignoring it would accept wrong values
 */
export function jsonValidator(schema: JsonSchema): (value: unknown) => StandardResult<unknown> {
  refuseUnknown(schema);
  return (value) => {
    const issues: StandardIssue[] = [];
    const checked = check(value, schema, [], (issue) => issues.push(issue));
    return issues.length > 0 ? { issues } : { value: checked };
  };
}

function refuseUnknown(schema: unknown): void {
  if (!isJsonObject(schema)) return;
  for (const keyword of Object.keys(schema)) {
    if (Object.hasOwn(KEYWORDS, keyword) || ANNOTATIONS.includes(keyword) || WITHOUT_EFFECT.includes(keyword)) continue;
    if (keyword.startsWith('x-')) continue;
    throw new DefinitionError(
      `config: the JSON Schema keyword '${keyword}' is not supported.`,
      'Remove it, or use a Standard Schema (for example zod).',
    );
  }
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema;
  for (const inner of [...Object.values(properties ?? {}), items, additionalProperties]) refuseUnknown(inner);
  for (const list of [anyOf, oneOf, allOf])
    for (const inner of (list as unknown[] | undefined) ?? []) refuseUnknown(inner);
}

const copyOf = (value: Value): Value => (value === undefined ? undefined : structuredClone(value));
