import { types } from 'node:util';
import { describeValue, isError } from './describe.js';

/** Values that JSON.stringify drops or replaces without an error, each with what the author can do. */
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
 * What JSON would lose of a value that has no `toJSON`, and what to do; undefined if nothing is lost.
 * Members of the value are not checked (docs/spec/plugin-results.md#lost-values).
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

/** An object literal, of whichever realm, or one without a prototype. A Promise-like literal is none. */
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
