import { types } from 'node:util';
import { describeValue, isError } from './describe.js';

/** Objects that JSON.stringify drops or replaces without an error, each with advice for the author. */
const LOST_OBJECTS: [isIt: (value: object) => boolean, advice: string][] = [
  [(value) => typeof (value as { then?: unknown }).then === 'function', 'await it'],
  [(value) => types.isMap(value), 'return Object.fromEntries(map)'],
  [(value) => types.isSet(value), 'return [...set]'],
  [(value) => types.isGeneratorObject(value), 'return the list of its values'],
  [isError, 'return its message, throw it, or return fail(message)'],
];

const READ_BODY = 'return what `await response.json()` gives';
const MAKE_PLAIN = 'return a plain object with the members that matter';

/**
 * Describes the loss if JSON cannot express a value that has no `toJSON`, with advice. undefined if nothing is lost.
 * Does not check the members of the value (docs/spec/plugin-results.md#lost-values).
 */
export function lostValue(value: unknown): { what: string; advice: string } | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : { what: String(value), advice: 'return null, or leave it out' };
  }
  if (typeof value === 'function') return { what: 'a function', advice: 'call it, or leave it out' };
  if (typeof value === 'symbol') return { what: 'a symbol', advice: 'return its description, or leave it out' };
  if (typeof value === 'bigint') return { what: 'a BigInt', advice: 'return its digits: String(value)' };
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlainObject(value)) return undefined;
  for (const [isIt, advice] of LOST_OBJECTS) if (isIt(value)) return { what: describeValue(value), advice };
  if (Object.keys(value).length > 0) return undefined;
  const hasBody = typeof (value as { json?: unknown }).json === 'function';
  return { what: describeInstance(value), advice: hasBody ? READ_BODY : MAKE_PLAIN };
}

/** True for an object literal of any realm, and for an object without a prototype, unless it is like a Promise. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isLiteral = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isLiteral && typeof (value as { then?: unknown }).then !== 'function';
}

function describeInstance(value: object): string {
  const kind = describeValue(value);
  const { name } = value.constructor ?? {};
  return kind === 'an object without members' && name ? `an instance of ${name} without members of its own` : kind;
}
