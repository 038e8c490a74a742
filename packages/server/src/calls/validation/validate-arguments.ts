import type { JsonObject, JsonSchema, JsonValue } from '@mortise/plugin';
import type { OutcomeError } from '@mortise/plugin/runtime';
import { compile, type Validator } from '../../json-schema/compile.js';
import { invalidParam } from '../../results/error-outcomes.js';
import { estimateJsonSize } from '../../util/json-size.js';
import { violationsToErrors } from './violations.js';

const MAX_DEPTH = 64;
const MAX_ERRORS = 10;
/** Above this size only the first violation is looked for (docs/spec/contract.md#schema-violations). */
const ALL_ERRORS_CHARS = 100_000;

/** The phase of a validation; in a thread each phase has its own limit. */
export type Phase = 'compile' | 'check';

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
function violations(args: JsonObject, schema: JsonSchema, enter = ignoreEntry): OutcomeError[] {
  const validators = validatorsOf(schema, enter);
  if (validators.first(args)) return [];
  if (estimateJsonSize(args, ALL_ERRORS_CHARS) > ALL_ERRORS_CHARS)
    return violationsToErrors(validators.first.errors, schema, args, 1);
  validators.all ??= compileIn(schema, true, enter);
  validators.all(args);
  return violationsToErrors(validators.all.errors, schema, args, MAX_ERRORS);
}

/**
 * Whether a value fits a schema, and if not, why in one line: for results (docs/spec/plugins.md#structured-content).
 */
export function schemaMismatch(value: unknown, schema: JsonSchema, enter = ignoreEntry): string | undefined {
  const { first } = validatorsOf(schema, enter);
  if (first(value)) return undefined;
  const [error] = first.errors;
  return `${error?.instancePath || 'the value'} ${error?.message ?? 'does not fit'}`;
}

/** What can be checked, as it is done here or in a thread: a pure function of a value and a schema. */
export const CHECKS = { arguments: violations, result: schemaMismatch };

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

/** What no tool should have to defend itself against: bottomless nesting, and a key that reaches the prototype. */
export function structuralProblem(args: JsonObject): OutcomeError | undefined {
  const stack: { value: JsonValue; path: string; depth: number }[] = [{ value: args, path: '', depth: 1 }];
  while (stack.length > 0) {
    const { value, path, depth } = stack.pop()!;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) {
      const parameter = path.split('/')[0]!;
      return invalidParam(
        parameter,
        'invalid value',
        `Parameter '${parameter}' is nested deeper than ${MAX_DEPTH} levels`,
      );
    }
    for (const key of Object.keys(value)) {
      const child = (value as JsonObject)[key]!;
      const childPath = path === '' ? key : `${path}/${key}`;
      if (key === '__proto__') {
        return invalidParam(
          childPath,
          'unknown parameter',
          `Parameter '${childPath}' is not allowed: '__proto__' is a reserved name`,
        );
      }
      if (typeof child === 'object' && child !== null) stack.push({ value: child, path: childPath, depth: depth + 1 });
    }
  }
  return undefined;
}
