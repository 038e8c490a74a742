import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { OutcomeError } from '@mortise/plugin/runtime';
import type { Settings } from '../settings/settings.js';
import { invalidParam } from './results/error-outcomes.js';

/** What every tool understands and none sees (docs/spec/arguments.md#call-options). */
export interface CallOptions {
  machineReadable: boolean;
  unsafeOutput: boolean;
}

export const defaultOptions = ({ Tools }: Pick<Settings, 'Tools'>): CallOptions => ({
  machineReadable: Tools.MachineReadable,
  unsafeOutput: false,
});

const NAMES = ['machineReadable', 'unsafeOutput'] as const;

/** Takes the host's own options out of the arguments, unless the tool declares a property of that name. */
export function takeCallOptions(
  args: JsonObject,
  schema: JsonSchema,
  defaults: CallOptions,
): { options: CallOptions; args: JsonObject; errors: OutcomeError[] } {
  const optionNames = NAMES.filter((name) => Object.hasOwn(args, name) && !declares(schema, name));
  if (optionNames.length === 0) return { options: defaults, args, errors: [] };
  const options = { ...defaults };
  const errors: OutcomeError[] = [];
  const rest = { ...args };
  for (const name of optionNames) {
    const value = rest[name];
    delete rest[name];
    if (typeof value === 'boolean') options[name] = value;
    else errors.push(invalidParam(name, 'invalid value', `Parameter '${name}' must be true or false`));
  }
  return { options, args: rest, errors };
}

/**
 * The arguments without null members: programs with typed clients send null for a parameter that they leave out. An unknown
 * name, and a parameter that is required, stay (docs/spec/arguments.md#null-arguments).
 */
export function withoutNulls(args: JsonObject, schema: JsonSchema): JsonObject {
  const isOptional = (name: string) => declares(schema, name) || (NAMES as readonly string[]).includes(name);
  const isLeftOut = ([name, value]: [string, unknown]) =>
    value === null && isOptional(name) && !schema.required?.includes(name);
  const entries = Object.entries(args);
  if (!entries.some(isLeftOut)) return args;
  return Object.fromEntries(entries.filter((entry) => !isLeftOut(entry)));
}

function declares(schema: JsonSchema, name: string): boolean {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, name);
}
