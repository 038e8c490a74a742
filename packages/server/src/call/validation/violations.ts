import type { InvalidReason, JsonObject, JsonSchema, JsonValue } from '@mortise/plugin';
import {
  keyOfSegment,
  type OutcomeError,
  pointerSegment,
  suggestNames,
  type ToolDefinition,
} from '@mortise/plugin/runtime';
import { isSecretKey } from '@mortise/redact';
import type { Violation } from '../../json-schema/compile.js';
import { invalidParam } from '../results/error-outcomes.js';
import { inMeantBranch } from './meant-branch.js';

/** What one violation is about: the parameter as a JSON pointer without its leading slash. */
interface InvalidArgument {
  parameter: string;
  reason: InvalidReason;
  message: string;
}

/** @param taken the parameters that the chosen action takes, if the violation is at the root and they are known */
type Reader = (violation: Violation, at: string, taken?: readonly string[]) => InvalidArgument;

/** JSON Schema keyword → reason and message (docs/spec/arguments.md#schema-violations); others say `invalid value`. */
const READERS: Record<string, Reader> = {
  required: (violation, at) => missing(join(at, violation.params.missingProperty as string)),
  dependentRequired: (violation, at) => missing(join(at, violation.params.missingProperty as string)),
  dependencies: (violation, at) => missing(join(at, violation.params.missingProperty as string)),
  minLength: (violation, at) => (violation.data === '' ? missing(at) : otherwise(violation, at)),
  enum: (violation, at) => invalid(at, `must be ${oneOf(violation.params.allowedValues as JsonValue[])}`),
  const: (violation, at) => invalid(at, `must be ${literal(violation.params.allowedValue as JsonValue)}`),
  type: (violation, at) => invalid(at, `must be ${typeNames(violation.params.type as string | string[])}`),
  pattern: (violation, at) => ({
    parameter: at,
    reason: 'invalid format',
    message: `${named(at)} must match the pattern ${violation.params.pattern}`,
  }),
  additionalProperties: (violation, at, taken) =>
    unknown(violation, join(at, violation.params.additionalProperty as string), taken),
  unevaluatedProperties: (violation, at, taken) =>
    unknown(violation, join(at, violation.params.unevaluatedProperty as string), taken),
  propertyNames: (violation, at, taken) => unknown(violation, join(at, violation.params.propertyName as string), taken),
  'false schema': (violation, at, taken) => unknown(violation, at, taken),
};

/** Keywords that swallow what their branches complain about: one entry for the whole. */
const WHOLE = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames']);

/** The maximum number of violations that are read, because a list of thousands of bad items must not take seconds. */
const MAX_READ = 500;

/** Every violation as one INVALID_PARAMS error, the first `max` of them; the rule for a bad `action` included. */
export function violationsToErrors(
  all: readonly Violation[],
  schema: JsonSchema,
  args: JsonObject,
  max: number,
  rules: ActionRules = {},
): OutcomeError[] {
  const errors: OutcomeError[] = [];
  for (const violation of relevant(all, schema)) {
    const error = toError(violation, schema, args, rules);
    if (!errors.some((other) => isSame(other, error))) errors.push(error);
    if (errors.length === max) break;
  }
  const wrongAction = errors.find((error) => error.data?.additionalData?.validActions !== undefined);
  return wrongAction === undefined ? errors : [wrongAction, ...errors.filter((error) => !dependsOnAction(error))];
}

/** The violations without those that another one swallows; those of a union are the ones of the branch that was meant. */
function* relevant(all: readonly Violation[], schema: JsonSchema): Generator<Violation> {
  // A whole is after what it swallows.
  const last = all.filter(({ keyword }) => WHOLE.has(keyword)).slice(0, MAX_READ);
  const violations = [...new Set([...all.slice(0, MAX_READ), ...last])];
  const wholes = last.map((violation) => ({ violation, refs: localRefs(violation.schema, schema) }));
  const own = violations.filter(
    (violation) => violation.keyword !== 'if' && !wholes.some((whole) => isInside(violation, whole)),
  );
  for (const violation of own.length > 0 ? own : violations) {
    const meant = inMeantBranch(violation, schema, (pointer) => resolvePointer(schema, pointer));
    if (meant[0] === violation) yield violation;
    else yield* relevant(meant, schema);
  }
}

/** Which parameters are known depends on the action; if the action is wrong, they are not reported. */
const dependsOnAction = ({ data }: OutcomeError): boolean =>
  data?.additionalData?.reason === 'unknown parameter' || data?.additionalData?.validActions !== undefined;

function toError(violation: Violation, schema: JsonSchema, args: JsonObject, rules: ActionRules): OutcomeError {
  const { actions: takenBy = {}, unlistedActions = [] } = rules;
  const at = violation.instancePath.slice(1);
  const actions = requiredActions(schema)?.filter((action) => !unlistedActions.includes(action));
  if (at === 'action' && actions) return badAction(violation.data, actions);
  const taken = at === '' ? parametersOf(takenBy, args.action) : undefined;
  const { parameter, reason, message } = (READERS[violation.keyword] ?? otherwise)(violation, at, taken);
  const providedValue = reason === 'required' ? undefined : provided(parameter, args);
  return invalidParam(parameter, reason, message, {
    ...(reason === 'required' && parameter === 'action' && actions
      ? { hint: `Valid actions are: ${actions.join(', ')}` }
      : {}),
    additionalData: providedValue === undefined ? {} : { providedValue },
  });
}

/** What is known of the actions of a tool beyond its schema. */
export interface ActionRules extends Pick<ToolDefinition, 'actions'> {
  /** Accepted, but not named. */
  readonly unlistedActions?: readonly string[];
}

/** The parameters that the chosen action takes; undefined if they are not known. */
function parametersOf(
  actions: NonNullable<ActionRules['actions']>,
  action: JsonValue | undefined,
): string[] | undefined {
  if (typeof action !== 'string' || !Object.hasOwn(actions, action)) return undefined;
  const { required = [], optional = [] } = actions[action]!;
  return [...required, ...optional];
}

function badAction(value: unknown, actions: string[]): OutcomeError {
  const valueText = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const list = actions.join(', ');
  const [close] = suggestNames(valueText, actions);
  return invalidParam(
    'action',
    'invalid value',
    `Invalid action '${valueText}' is not supported. Allowed values: ${list}`,
    {
      hint: `Valid actions are: ${list}${close === undefined ? '' : `. Did you mean '${close}'?`}`,
      additionalData: { providedValue: valueText, validActions: list },
    },
  );
}

/** The values of `action` where the schema requires it as one of a list of strings. */
function requiredActions(schema: JsonSchema): string[] | undefined {
  const action = schema.properties?.action;
  if (typeof action !== 'object' || !schema.required?.includes('action')) return undefined;
  const values = action.enum;
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')
    ? values
    : undefined;
}

interface Whole {
  readonly violation: Violation;
  /** The local `$ref`s below it. */
  readonly refs: readonly string[];
}

function isInside(violation: Violation, { violation: whole, refs }: Whole): boolean {
  if (violation === whole || !violation.instancePath.startsWith(whole.instancePath)) return false;
  if (violation.schemaPath.startsWith(`${whole.schemaPath}/`)) return true;
  if (whole.keyword === 'propertyNames' && violation.propertyName === whole.params.propertyName) return true;
  return refs.some((ref) => violation.schemaPath.startsWith(`${ref}/`));
}

/** The local `$ref`s below a schema, through one another. */
function localRefs(start: unknown, root: JsonSchema): string[] {
  const found = new Set<string>();
  const stack: unknown[] = [start];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#/') && !found.has(value)) {
        found.add(value);
        stack.push(resolvePointer(root, value.slice(1)));
      } else stack.push(value);
    }
  }
  return [...found];
}

function resolvePointer(root: unknown, pointer: string): unknown {
  let node = root;
  for (const segment of pointer.split('/').slice(1)) {
    const key = keyOfSegment(decodeURIComponent(segment));
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

function missing(parameter: string): InvalidArgument {
  return { parameter, reason: 'required', message: `${named(parameter)} is required and cannot be empty` };
}

function invalid(parameter: string, message: string): InvalidArgument {
  return { parameter, reason: 'invalid value', message: `${named(parameter)} ${message}` };
}

function unknown(violation: Violation, parameter: string, taken?: readonly string[]): InvalidArgument {
  const names = taken ?? Object.keys((violation.parentSchema?.properties as object | undefined) ?? {});
  const name = keyOfSegment(parameter.split('/').at(-1)!);
  const close = suggestNames(name, names)[0] ?? (taken && withSameFirstWord(name, taken));
  const more = close === undefined ? '' : `. Did you mean '${close}'?`;
  return { parameter, reason: 'unknown parameter', message: `${named(parameter)} is not known${more}` };
}

/** `packageId` for `packageName`: the first of the parameters that begins with the same word, if it is not the only word. */
function withSameFirstWord(name: string, names: readonly string[]): string | undefined {
  const firstWord = /^[a-z]+(?=[A-Z])/.exec(name)?.[0];
  if (firstWord === undefined) return undefined;
  return names.find((one) => one === firstWord || (one.startsWith(firstWord) && /[A-Z]/.test(one[firstWord.length]!)));
}

function otherwise(violation: Violation, at: string): InvalidArgument {
  return invalid(at, violation.message ?? 'is not valid');
}

function named(parameter: string): string {
  return parameter === '' ? 'The arguments' : `Parameter '${parameter}'`;
}

function oneOf(values: JsonValue[]): string {
  const message = values.map(literal);
  return message.length < 2 ? message.join('') : `${message.slice(0, -1).join(', ')} or ${message.at(-1)}`;
}

function literal(value: JsonValue): string {
  if (typeof value === 'string') return `'${value}'`;
  const json = JSON.stringify(value);
  return json.length <= MAX_TEXT_CHARS ? json : `a certain ${Array.isArray(value) ? 'array' : 'object'}`;
}

const TYPE_WORDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function typeNames(types: string | string[]): string {
  return [types]
    .flat()
    .map((type) => TYPE_WORDS[type] ?? type)
    .join(' or ');
}

/** The value at the parameter as text, whole: it is cut when it was redacted. */
function provided(parameter: string, args: JsonObject): string | undefined {
  const segments = parameter.split('/').map(keyOfSegment);
  if (parameter === '' || segments.some(isSecretKey)) return undefined;
  let value: JsonValue | undefined = args;
  for (const segment of segments) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as JsonObject)[segment];
  }
  if (typeof value === 'object') return undefined;
  return value === undefined ? undefined : String(value);
}

const MAX_TEXT_CHARS = 200;

function join(at: string, key: string): string {
  const segment = pointerSegment(key);
  return at === '' ? segment : `${at}/${segment}`;
}

function isSame(a: OutcomeError, b: OutcomeError): boolean {
  return a.message === b.message && a.data?.additionalData?.parameter === b.data?.additionalData?.parameter;
}
