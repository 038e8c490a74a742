import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { OutcomeError } from '@mortise/plugin/runtime';
import { compile, type Validator } from '../../json-schema/compile.js';
import { estimateJsonSize } from '../../util/json-size.js';
import { invalidParam } from '../results/error-outcomes.js';
import { type ActionRules, violationsToErrors } from './violations.js';

const MAX_DEPTH = 64;
const MAX_ERRORS = 10;
/** Above this size only the first violation is looked for (docs/spec/arguments.md#schema-violations). */
const ALL_ERRORS_CHARS = 100_000;

/** The phase of a validation; in a thread each phase has its own limit. To read the value comes first. */
export type Phase = 'read' | 'compile' | 'check';

/** Hears what a check does next. */
type Enter = (phase: Phase) => void;

const ignoreEntry: Enter = () => {};

interface Compiled {
  first: Validator;
  all?: Validator;
}

/** Schemas are compiled at a tool's first call, and released with the tool. */
const compiled = new WeakMap<JsonSchema, Compiled>();

/** The violations of a tool's input schema, as INVALID_PARAMS errors; [] when the arguments are valid. */
export function violations(
  args: JsonObject,
  schema: JsonSchema,
  enter = ignoreEntry,
  rules: ActionRules = {},
): OutcomeError[] {
  const validators = validatorsOf(schema, enter);
  if (validators.first(args)) return [];
  if (estimateJsonSize(args, ALL_ERRORS_CHARS) > ALL_ERRORS_CHARS)
    return violationsToErrors(validators.first.errors, schema, args, 1, rules);
  validators.all ??= compileIn(schema, true, enter);
  validators.all(args);
  return violationsToErrors(validators.all.errors, schema, args, MAX_ERRORS, rules);
}

/**
 * Whether a value fits a schema, and if not, why in one line: for results (docs/spec/plugin-results.md#structured-content).
 */
export function schemaMismatch(value: unknown, schema: JsonSchema, enter = ignoreEntry): string | undefined {
  const { first } = validatorsOf(schema, enter);
  if (first(value)) return undefined;
  const [error] = first.errors;
  return `${error?.instancePath || 'the value'} ${error?.message ?? 'does not fit'}`;
}

/** What can be checked, as it is done here or in a thread: a pure function of a value and a schema. */
export const CHECKS = { arguments: problems, result: schemaMismatch };

/** What is wrong with arguments, their form included. */
function problems(args: JsonObject, schema: JsonSchema, enter = ignoreEntry, rules?: ActionRules): OutcomeError[] {
  const shape = structuralProblem(args);
  return shape ? [shape] : violations(args, schema, enter, rules);
}

/** Why a validation failed: a value that is nested too deeply can neither be copied nor validated. */
export function whyNotValid(error: unknown): string {
  return error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
}

function validatorsOf(schema: JsonSchema, enter: Enter): Compiled {
  let validators = compiled.get(schema);
  if (!validators) {
    const first = compileIn(schema, false, enter);
    validators = { first, ...(first.findsAll && { all: first }) };
    compiled.set(schema, validators);
  }
  return validators;
}

function compileIn(schema: JsonSchema, allErrors: boolean, enter: Enter): Validator {
  enter('compile');
  const validator = compile(schema, { allErrors });
  // The engine compiles what Ajv wrote when it is first run.
  validator(undefined);
  enter('check');
  return validator;
}

/** An object or an array in the arguments. */
interface Place {
  readonly value: object;
  readonly key: string | number;
  readonly parent: Place | undefined;
  readonly depth: number;
}

/** What no tool should have to defend itself against: bottomless nesting, and a key that reaches the prototype. */
export function structuralProblem(args: JsonObject): OutcomeError | undefined {
  const stack: Place[] = [{ value: args, key: '', parent: undefined, depth: 1 }];
  for (let place = stack.pop(); place; place = stack.pop()) {
    if (place.depth > MAX_DEPTH) return tooDeep(place);
    const { value } = place;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) addPlace(stack, value[at], at, place);
    } else {
      for (const key of Object.keys(value)) {
        if (key === '__proto__') return reservedName(pathOf({ ...place, key, parent: place }));
        addPlace(stack, (value as JsonObject)[key], key, place);
      }
    }
  }
  return undefined;
}

function addPlace(stack: Place[], value: unknown, key: string | number, parent: Place): void {
  if (typeof value === 'object' && value !== null) stack.push({ value, key, parent, depth: parent.depth + 1 });
}

function tooDeep(place: Place): OutcomeError {
  const parameter = pathOf(place).split('/')[0]!;
  const text = `Parameter '${parameter}' is nested deeper than ${MAX_DEPTH} levels`;
  return invalidParam(parameter, 'invalid value', text);
}

function reservedName(path: string): OutcomeError {
  const text = `Parameter '${path}' is not allowed: '__proto__' is a reserved name`;
  return invalidParam(path, 'unknown parameter', text);
}

function pathOf({ key, parent }: Place): string {
  return parent?.parent ? `${pathOf(parent)}/${key}` : String(key);
}
