import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { OutcomeError } from '@mortise/plugin/runtime';
import type { Settings } from '../settings/settings.js';
import { invalidParam } from './results/error-outcomes.js';

/**
 * Arguments that a client can add to a call of any tool. The server evaluates them and removes them before plugin code
 * runs (docs/spec/arguments.md#call-options).
 */
export interface CallOptions {
  machineReadable: boolean;
  unsafeOutput: boolean;
}

/** Returns the options of a call that sets none. */
export const defaultOptions = ({ Tools }: Pick<Settings, 'Tools'>): CallOptions => ({
  machineReadable: Tools.MachineReadable,
  unsafeOutput: false,
});

const OPTION_NAMES = ['machineReadable', 'unsafeOutput'] as const;

/**
 * Separates the call options from the tool's arguments. A property that the tool itself declares is no call option.
 * @returns the options, the remaining arguments, and an error for each option that is not a boolean
 */
export function takeCallOptions(
  args: JsonObject,
  schema: JsonSchema,
  defaults: CallOptions,
): { options: CallOptions; args: JsonObject; errors: OutcomeError[] } {
  const sentOptions = OPTION_NAMES.filter((name) => Object.hasOwn(args, name) && !declares(schema, name));
  if (sentOptions.length === 0) return { options: defaults, args, errors: [] };
  const options = { ...defaults };
  const errors: OutcomeError[] = [];
  const rest = { ...args };
  for (const name of sentOptions) {
    const value = rest[name];
    delete rest[name];
    if (typeof value === 'boolean') options[name] = value;
    else errors.push(invalidParam(name, 'invalid value', `Parameter '${name}' must be true or false`));
  }
  return { options, args: rest, errors };
}

/**
 * Removes null members from the arguments, because typed clients send null for parameters that they omit. Keeps unknown
 * names and required parameters, so that validation reports them (docs/spec/arguments.md#null-arguments).
 */
export function withoutNulls(args: JsonObject, schema: JsonSchema): JsonObject {
  const isKnown = (name: string) => declares(schema, name) || (OPTION_NAMES as readonly string[]).includes(name);
  const isOmitted = ([name, value]: [string, unknown]) =>
    value === null && isKnown(name) && !schema.required?.includes(name);
  const entries = Object.entries(args);
  if (!entries.some(isOmitted)) return args;
  return Object.fromEntries(entries.filter((entry) => !isOmitted(entry)));
}

function declares(schema: JsonSchema, name: string): boolean {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, name);
}
