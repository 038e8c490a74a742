import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../error-codes.js';
import { isJsonObject } from '../json.js';
import type { RunResult } from './run-result.js';

/** What a matcher of Vitest or Jest gives. */
export interface Match {
  pass: boolean;
  /** The message of a failed test, also for a negated matcher. */
  message(): string;
}

/** The expected result; omitted members are not compared. */
export interface ExpectedResult {
  /** The whole text, or what it must match. */
  text?: string | RegExp;
  /** Members that structuredContent must have, at any depth; lists must be equal. */
  structured?: Record<string, unknown>;
  /** The code of the first error. Without it the call must have succeeded. */
  error?: ErrorCode | (string & {});
  /** The message of the first error, or what it must match. */
  message?: string | RegExp;
}

/**
 * Matchers of results for Vitest and Jest: `expect.extend(resultMatchers)`. With `node:test`, use {@link assertResult}.
 */
export const resultMatchers = {
  /** The call succeeded. */
  toSucceed: (result: RunResult): Match => match(result, {}),
  /** It succeeded, and this is its text, or what the text matches. */
  toHaveText: (result: RunResult, text: string | RegExp): Match => match(result, { text }),
  /** It succeeded, and structuredContent has these members. */
  toHaveStructured: (result: RunResult, structured: Record<string, unknown>): Match => match(result, { structured }),
  /** It failed with this code, and with this message, if one is given. */
  toFailWith: (result: RunResult, error: ErrorCode | (string & {}), message?: string | RegExp): Match =>
    match(result, { error, ...(message !== undefined && { message }) }),
};

/**
 * Compares a result with the expected one, in any test runner: `assertResult(result, { text: 'Hello, Ada!' })`. Without `error`, also that
 * the call succeeded. @throws AssertionError with the difference and the result
 */
export function assertResult(result: RunResult, expected: ExpectedResult = {}): void {
  const { pass, message } = match(result, expected);
  if (!pass) throw new AssertionError({ message: message(), actual: result, expected, operator: 'assertResult' });
}

function match(result: RunResult, expected: ExpectedResult): Match {
  const problems = CHECKS.flatMap((check) => check(result, expected) ?? []);
  const said = problems.length > 0 ? problems : ['The result is as described, and was expected to differ.'];
  return { pass: problems.length === 0, message: () => [...said, resultText(result)].join('\n') };
}

/** Each returns the problem, or undefined if there is none. */
const CHECKS: ((result: RunResult, expected: ExpectedResult) => string | undefined)[] = [
  ({ error }, { error: code }) => {
    if (code === undefined && error !== undefined) return `The call failed with ${error.code}: ${error.message}`;
    if (code === undefined || error?.code === code) return undefined;
    return `Expected the error ${code}, and the call ${error === undefined ? 'succeeded' : `failed with ${error.code}`}.`;
  },
  ({ error }, { message }) =>
    message === undefined || isText(error?.message ?? '', message)
      ? undefined
      : `Expected the message ${shown(message)}, got ${shown(error?.message ?? '')}.`,
  ({ text: actual }, { text }) =>
    text === undefined || isText(actual, text) ? undefined : `Expected the text ${shown(text)}, got ${shown(actual)}.`,
  ({ structured: actual }, { structured }) =>
    structured === undefined ? undefined : difference(actual, structured, 'structured'),
];

const isText = (actual: string, expected: string | RegExp): boolean =>
  typeof expected === 'string' ? actual === expected : actual.search(expected) !== -1;

/** The first difference. */
function difference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (!isJsonObject(expected)) {
    if (isDeepStrictEqual(actual, expected)) return undefined;
    return `Expected ${path} to be ${shown(expected)}, got ${shown(actual)}.`;
  }
  if (!isJsonObject(actual)) return `Expected ${path} to be an object, got ${shown(actual)}.`;
  const found = Object.entries(expected).map(([key, member]) => difference(actual[key], member, `${path}.${key}`));
  return found.find((text) => text !== undefined);
}

const shown = (value: unknown): string =>
  value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'nothing');

function resultText({ isError, text, structured, errors }: RunResult): string {
  const rest = isError ? { errors } : { ...(structured !== undefined && { structured }) };
  return `The result: ${JSON.stringify({ isError, text, ...rest }, null, 2)}`;
}
