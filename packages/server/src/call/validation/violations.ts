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
import { violationsInMeantBranch } from './meant-branch.js';

interface InvalidArgument {
  /** A JSON pointer without its leading slash. */
  parameter: string;
  reason: InvalidReason;
  message: string;
}

/**
 * Explains a violation.
 * @param at the JSON pointer of the value without its leading slash
 * @param accepted the parameters of the chosen action, if the value is the arguments object and they are known
 */
type Explain = (violation: Violation, at: string, accepted?: readonly string[]) => InvalidArgument;

/**
 * The explanations by JSON Schema keyword (docs/spec/arguments.md#schema-violations); {@link otherwise} for the others.
 */
const EXPLANATIONS: Record<string, Explain> = {
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
  additionalProperties: (violation, at, accepted) =>
    unknown(violation, join(at, violation.params.additionalProperty as string), accepted),
  unevaluatedProperties: (violation, at, accepted) =>
    unknown(violation, join(at, violation.params.unevaluatedProperty as string), accepted),
  propertyNames: (violation, at, accepted) =>
    unknown(violation, join(at, violation.params.propertyName as string), accepted),
  'false schema': (violation, at, accepted) => unknown(violation, at, accepted),
};

/** Keywords whose violation replaces the violations of their subschemas. */
const COMBINING_KEYWORDS = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames']);

/** Limit of the violations that are processed, because thousands of bad items would take seconds. */
const MAX_PROCESSED = 500;

interface InvalidCall {
  readonly schema: JsonSchema;
  readonly args: JsonObject;
  readonly rules?: ActionRules;
}

/**
 * Converts violations to INVALID_PARAMS errors, at most `max`. If `action` is invalid, that error comes first, and
 * unknown parameters are not reported, because the right action may have them.
 */
export function violationsToErrors(violations: readonly Violation[], call: InvalidCall, max: number): OutcomeError[] {
  const errors: OutcomeError[] = [];
  for (const violation of relevantViolations(violations, call.schema)) {
    const error = toError(violation, call);
    if (!errors.some((other) => isSame(other, error))) errors.push(error);
    if (errors.length === max) break;
  }
  const invalidAction = errors.find((error) => error.data?.additionalData?.validActions !== undefined);
  return invalidAction === undefined ? errors : [invalidAction, ...errors.filter((error) => !dependsOnAction(error))];
}

/**
 * Drops violations that another violation replaces, and replaces the violation of a union by those of the branch that
 * the caller meant.
 */
function* relevantViolations(all: readonly Violation[], schema: JsonSchema): Generator<Violation> {
  // Add these even beyond the limit, because a combining violation comes after those that it replaces.
  const combining = all.filter(({ keyword }) => COMBINING_KEYWORDS.has(keyword)).slice(0, MAX_PROCESSED);
  const violations = [...new Set([...all.slice(0, MAX_PROCESSED), ...combining])];
  const combinations = combining.map((violation) => ({ violation, refs: localRefs(violation.schema, schema) }));
  const relevant = violations.filter(
    (violation) =>
      violation.keyword !== 'if' && !combinations.some((combination) => isReplacedBy(violation, combination)),
  );
  for (const violation of relevant.length > 0 ? relevant : violations) {
    const inBranch = violationsInMeantBranch(violation, schema, (pointer) => resolvePointer(schema, pointer));
    if (inBranch[0] === violation) yield violation;
    else yield* relevantViolations(inBranch, schema);
  }
}

const dependsOnAction = ({ data }: OutcomeError): boolean =>
  data?.additionalData?.reason === 'unknown parameter' || data?.additionalData?.validActions !== undefined;

function toError(violation: Violation, { schema, args, rules = {} }: InvalidCall): OutcomeError {
  const { actions: parametersByAction = {}, unlistedActions = [] } = rules;
  const at = violation.instancePath.slice(1);
  const actions = requiredActions(schema)?.filter((action) => !unlistedActions.includes(action));
  if (at === 'action' && actions) return invalidActionError(violation.data, actions);
  const accepted = at === '' ? parametersOf(parametersByAction, args.action) : undefined;
  const explain = EXPLANATIONS[violation.keyword] ?? otherwise;
  const { parameter, reason, message } = explain(violation, at, accepted);
  const providedValue = reason === 'required' ? undefined : providedText(parameter, args);
  return invalidParam(parameter, reason, message, {
    ...(reason === 'required' && parameter === 'action' && actions
      ? { hint: `Valid actions are: ${actions.join(', ')}` }
      : {}),
    additionalData: providedValue === undefined ? {} : { providedValue },
  });
}

/** The rules for a tool's actions that its schema does not contain. */
export interface ActionRules extends Pick<ToolDefinition, 'actions'> {
  /** Actions that are accepted but that errors do not list. */
  readonly unlistedActions?: readonly string[];
}

/** Returns the parameters of the chosen action; undefined if they are unknown. */
function parametersOf(
  actions: NonNullable<ActionRules['actions']>,
  action: JsonValue | undefined,
): string[] | undefined {
  if (typeof action !== 'string' || !Object.hasOwn(actions, action)) return undefined;
  const { required = [], optional = [] } = actions[action]!;
  return [...required, ...optional];
}

function invalidActionError(value: unknown, actions: string[]): OutcomeError {
  const valueText = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const list = actions.join(', ');
  const [suggestion] = suggestNames(valueText, actions);
  return invalidParam(
    'action',
    'invalid value',
    `Invalid action '${valueText}' is not supported. Allowed values: ${list}`,
    {
      hint: `Valid actions are: ${list}${suggestion === undefined ? '' : `. Did you mean '${suggestion}'?`}`,
      additionalData: { providedValue: valueText, validActions: list },
    },
  );
}

/** Returns the values of `action` if the schema requires it to be one of several strings; otherwise undefined. */
function requiredActions(schema: JsonSchema): string[] | undefined {
  const action = schema.properties?.action;
  if (typeof action !== 'object' || !schema.required?.includes('action')) return undefined;
  const values = action.enum;
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')
    ? values
    : undefined;
}

interface Combination {
  readonly violation: Violation;
  /** The local `$ref`s below the keyword. */
  readonly refs: readonly string[];
}

function isReplacedBy(violation: Violation, { violation: combining, refs }: Combination): boolean {
  if (violation === combining || !violation.instancePath.startsWith(combining.instancePath)) return false;
  if (violation.schemaPath.startsWith(`${combining.schemaPath}/`)) return true;
  if (combining.keyword === 'propertyNames' && violation.propertyName === combining.params.propertyName) return true;
  return refs.some((ref) => violation.schemaPath.startsWith(`${ref}/`));
}

/** Returns the local `$ref`s below a schema, including those in the targets of others. */
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

function unknown(violation: Violation, parameter: string, accepted?: readonly string[]): InvalidArgument {
  const names = accepted ?? Object.keys((violation.parentSchema?.properties as object | undefined) ?? {});
  const name = keyOfSegment(parameter.split('/').at(-1)!);
  const suggestion = suggestNames(name, names)[0] ?? (accepted && withSameFirstWord(name, accepted));
  const question = suggestion === undefined ? '' : `. Did you mean '${suggestion}'?`;
  return { parameter, reason: 'unknown parameter', message: `${named(parameter)} is not known${question}` };
}

/** Returns the first name with the same first word, such as `packageId` for `packageName`. */
function withSameFirstWord(name: string, names: readonly string[]): string | undefined {
  const firstWord = /^[a-z]+(?=[A-Z])/.exec(name)?.[0];
  if (firstWord === undefined) return undefined;
  const hasFirstWord = (candidate: string) =>
    candidate === firstWord || (candidate.startsWith(firstWord) && /[A-Z]/.test(candidate[firstWord.length]!));
  return names.find(hasFirstWord);
}

function otherwise(violation: Violation, at: string): InvalidArgument {
  return invalid(at, violation.message ?? 'is not valid');
}

function named(parameter: string): string {
  return parameter === '' ? 'The arguments' : `Parameter '${parameter}'`;
}

function oneOf(values: JsonValue[]): string {
  const literals = values.map(literal);
  return literals.length < 2 ? literals.join('') : `${literals.slice(0, -1).join(', ')} or ${literals.at(-1)}`;
}

function literal(value: JsonValue): string {
  if (typeof value === 'string') return `'${value}'`;
  const json = JSON.stringify(value);
  return json.length <= MAX_LITERAL_CHARS ? json : `a certain ${Array.isArray(value) ? 'array' : 'object'}`;
}

const MAX_LITERAL_CHARS = 200;

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

/**
 * Returns the value of the parameter as text, which is clipped later, after redaction; undefined for secrets and objects.
 */
function providedText(parameter: string, args: JsonObject): string | undefined {
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

function join(at: string, key: string): string {
  const segment = pointerSegment(key);
  return at === '' ? segment : `${at}/${segment}`;
}

function isSame(a: OutcomeError, b: OutcomeError): boolean {
  return a.message === b.message && a.data?.additionalData?.parameter === b.data?.additionalData?.parameter;
}
