import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { OutcomeError } from '@mortise/plugin/runtime';
import { compile, type Validator } from '../../json-schema/compile.js';
import { estimateJsonSize } from '../../util/json-size.js';
import { invalidParam } from '../results/error-outcomes.js';
import { type ActionRules, violationsToErrors } from './violations.js';

const MAX_DEPTH = 64;
const MAX_ERRORS = 10;
/** For larger arguments only the first violation is reported (docs/spec/arguments.md#schema-violations). */
const ALL_ERRORS_CHARS = 100_000;

/**
 * The phases of a validation: `read` parses the value that a thread receives, `compile` compiles a schema that is new,
 * and `check` applies the schema. In a thread each phase has its own time limit.
 */
export type Phase = 'read' | 'compile' | 'check';

type OnPhase = (phase: Phase) => void;

const ignorePhase: OnPhase = () => {};

interface Validators {
  /** Stops at the first violation. */
  first: Validator;
  /** Finds all violations; compiled when it is needed. */
  all?: Validator;
}

/** The validators of each schema, compiled at a tool's first call. */
const validatorsBySchema = new WeakMap<JsonSchema, Validators>();

/** Returns the violations of a tool's inputSchema as INVALID_PARAMS errors; [] for valid arguments. */
export function violations(
  args: JsonObject,
  schema: JsonSchema,
  onPhase = ignorePhase,
  rules: ActionRules = {},
): OutcomeError[] {
  const validators = validatorsOf(schema, onPhase);
  if (validators.first(args)) return [];
  const call = { schema, args, rules };
  if (estimateJsonSize(args, ALL_ERRORS_CHARS) > ALL_ERRORS_CHARS)
    return violationsToErrors(validators.first.errors, call, 1);
  validators.all ??= compileWithPhases(schema, { allErrors: true }, onPhase);
  validators.all(args);
  return violationsToErrors(validators.all.errors, call, MAX_ERRORS);
}

/**
 * Returns the reason why a result does not fit a schema, in one line; undefined if it does
 * (docs/spec/plugin-results.md#structured-content).
 */
export function schemaMismatch(value: unknown, schema: JsonSchema, onPhase = ignorePhase): string | undefined {
  const { first } = validatorsOf(schema, onPhase);
  if (first(value)) return undefined;
  const [error] = first.errors;
  return `${error?.instancePath || 'the value'} ${error?.message ?? 'does not fit'}`;
}

/** The checks of a value against a schema, which run in this thread or in another one. */
export const CHECKS = { arguments: checkArguments, result: schemaMismatch };

function checkArguments(
  args: JsonObject,
  schema: JsonSchema,
  onPhase = ignorePhase,
  rules?: ActionRules,
): OutcomeError[] {
  const problem = structuralProblem(args);
  return problem ? [problem] : violations(args, schema, onPhase, rules);
}

/** Explains an exception of a validation. Nesting that is too deep for copying or validating throws a RangeError. */
export function validationFailure(error: unknown): string {
  return error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
}

function validatorsOf(schema: JsonSchema, onPhase: OnPhase): Validators {
  let validators = validatorsBySchema.get(schema);
  if (!validators) {
    const first = compileWithPhases(schema, { allErrors: false }, onPhase);
    validators = { first, ...(first.findsAll && { all: first }) };
    validatorsBySchema.set(schema, validators);
  }
  return validators;
}

function compileWithPhases(schema: JsonSchema, options: { readonly allErrors: boolean }, onPhase: OnPhase): Validator {
  onPhase('compile');
  const validator = compile(schema, options);
  // Run the validator once: V8 compiles Ajv's code at its first run, and this phase has the time limit for that.
  validator(undefined);
  onPhase('check');
  return validator;
}

/** An object or an array in the arguments. */
interface Place {
  readonly value: object;
  readonly key: string | number;
  readonly parent: Place | undefined;
  readonly depth: number;
}

/** Returns an error for arguments that are dangerous for any tool: nested too deeply, or with a key `__proto__`. */
export function structuralProblem(args: JsonObject): OutcomeError | undefined {
  const stack: Place[] = [{ value: args, key: '', parent: undefined, depth: 1 }];
  for (let place = stack.pop(); place; place = stack.pop()) {
    if (place.depth > MAX_DEPTH) return tooDeep(place);
    const { value } = place;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) addPlace(stack, value[index], index, place);
    } else {
      for (const key of Object.keys(value)) {
        if (key === '__proto__') return reservedName(pathOf({ ...place, key, parent: place }));
        addPlace(stack, (value as JsonObject)[key], key, place);
      }
    }
  }
  return undefined;
}

/**
 * Returns an error for a parameter that a program which ignores case, width or separators would read as `action`
 * (docs/spec/access.md#actions).
 */
export function otherActionSpelling(args: JsonObject): OutcomeError | undefined {
  const other = Object.keys(args).find((name) => name !== 'action' && lettersOf(name) === 'action');
  if (other === undefined) return undefined;
  return invalidParam(other, 'unknown parameter', `Parameter '${other}' is not allowed: it is spelled 'action'`);
}

/** Upper case comes first, because the dotless i has the upper case of i. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

function addPlace(stack: Place[], value: unknown, key: string | number, parent: Place): void {
  if (typeof value === 'object' && value !== null) stack.push({ value, key, parent, depth: parent.depth + 1 });
}

function tooDeep(place: Place): OutcomeError {
  const parameter = pathOf(place).split('/')[0]!;
  const message = `Parameter '${parameter}' is nested deeper than ${MAX_DEPTH} levels`;
  return invalidParam(parameter, 'invalid value', message);
}

function reservedName(path: string): OutcomeError {
  const message = `Parameter '${path}' is not allowed: '__proto__' is a reserved name`;
  return invalidParam(path, 'unknown parameter', message);
}

function pathOf({ key, parent }: Place): string {
  return parent?.parent ? `${pathOf(parent)}/${key}` : String(key);
}
