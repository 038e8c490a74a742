import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../error-codes.js';
import { isJsonObject } from '../json.js';
import type { RunResult } from './run-result.js';

/** The result of a matcher of Vitest or Jest. */
export interface Match {
  pass: boolean;
  /** The message if the test fails, also for a negated matcher. */
  message(): string;
}

/** Omitted members are not compared. */
export interface ExpectedResult {
  /** The whole text, or an expression that it must match. */
  text?: string | RegExp;
  /** Members that structuredContent must have, at any depth. Lists must be equal. */
  structured?: Record<string, unknown>;
  /** The code of the first error. Without it the call must have succeeded. */
  error?: ErrorCode | (string & {});
  /** The message of the first error, or an expression that it must match. */
  message?: string | RegExp;
}

/**
 * Matchers of results for Vitest and Jest: `expect.extend(resultMatchers)`. With `node:test`, use {@link assertResult}.
 */
export const resultMatchers = {
  /** Passes if the call succeeded. */
  toSucceed: (result: RunResult): Match => match(result, {}),
  /** Passes if the call succeeded with this text, or with a text that matches. */
  toHaveText: (result: RunResult, text: string | RegExp): Match => match(result, { text }),
  /** Passes if the call succeeded and structuredContent has these members. */
  toHaveStructured: (result: RunResult, structured: Record<string, unknown>): Match => match(result, { structured }),
  /** Passes if the call failed with this code and, if a message is given, with this message. */
  toFailWith: (result: RunResult, error: ErrorCode | (string & {}), message?: string | RegExp): Match =>
    match(result, { error, ...(message !== undefined && { message }) }),
};

/**
 * Compares a result with the expected one, in any test runner: `assertResult(result, { text: 'Hello, Ada!' })`. Without
 * `error`, it also checks that the call succeeded.
 * @throws AssertionError with the difference and the result
 */
export function assertResult(result: RunResult, expected: ExpectedResult = {}): void {
  const { pass, message } = match(result, expected);
  if (!pass) throw new AssertionError({ message: message(), actual: result, expected, operator: 'assertResult' });
}

function match(result: RunResult, expected: ExpectedResult): Match {
  const problems = CHECKS.flatMap((check) => check(result, expected) ?? []);
  const lines = problems.length > 0 ? problems : ['The result matches, but it was expected to differ.'];
  return { pass: problems.length === 0, message: () => [...lines, resultText(result)].join('\n') };
}

/** Each returns the problem, or undefined if there is none. */
const CHECKS: ((result: RunResult, expected: ExpectedResult) => string | undefined)[] = [
  ({ error }, { error: code }) => {
    if (code === undefined && error !== undefined) return `The call failed with ${error.code}: ${error.message}`;
    if (code === undefined || error?.code === code) return undefined;
    return `Expected the error ${code}, but the call ${error === undefined ? 'succeeded' : `failed with ${error.code}`}.`;
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

/** Describes the first difference; undefined if there is none. */
function difference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (!isJsonObject(expected)) {
    if (isDeepStrictEqual(actual, expected)) return undefined;
    return `Expected ${path} to be ${shown(expected)}, got ${shown(actual)}.`;
  }
  if (!isJsonObject(actual)) return `Expected ${path} to be an object, got ${shown(actual)}.`;
  const differences = Object.entries(expected).map(([key, member]) =>
    difference(actual[key], member, `${path}.${key}`),
  );
  return differences.find((text) => text !== undefined);
}

const shown = (value: unknown): string =>
  value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'nothing');

function resultText({ isError, text, structured, errors }: RunResult): string {
  const rest = isError ? { errors } : { ...(structured !== undefined && { structured }) };
  return `The result: ${JSON.stringify({ isError, text, ...rest }, null, 2)}`;
}
