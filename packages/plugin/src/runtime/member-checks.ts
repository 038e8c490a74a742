import { isJsonObject, type JsonObject, type JsonValue, ownMember } from '../json.js';

/** Returns what a member's value must be, such as `a string`, or undefined if it is valid. */
export type Check = (value: JsonValue) => string | undefined;
export type Members = readonly { name: string; isOptional: boolean; check: Check }[];

/** A check for each member of T. Names of optional members end in `?`. */
export type ChecksOf<T> = {
  readonly [K in keyof T as Record<never, never> extends Pick<T, K> ? `${K & string}?` : K & string]-?: Check;
};

/** Creates the checks of an object. Names that end in `?` are optional. */
export function members(checks: Record<string, Check>): Members {
  return Object.entries(checks).map(([key, check]) => {
    const isOptional = key.endsWith('?');
    return { name: isOptional ? key.slice(0, -1) : key, isOptional, check };
  });
}

export const must =
  (what: string, isValid: (value: JsonValue) => boolean): Check =>
  (value) =>
    isValid(value) ? undefined : what;

export const text = must('a string', (value) => typeof value === 'string');
export const number = must('a number', Number.isFinite);
export const integer = must('an integer', Number.isSafeInteger);
export const object = must('an object', isJsonObject);

/** The fault of the first invalid member, such as `mimeType is not a string`. */
export function memberFault(value: JsonObject, expected: Members): string | undefined {
  for (const { name, isOptional, check } of expected) {
    const member = ownMember(value, name);
    if (isOptional && member === undefined) continue;
    const wrong = member === undefined ? 'there' : check(member);
    if (wrong !== undefined) return `${name} is not ${wrong}`;
  }
  return undefined;
}

export function unexpectedMember(value: JsonObject, expected: Members): string | undefined {
  for (const key of Object.keys(value)) if (!hasMember(expected, key)) return key;
  return undefined;
}

function hasMember(expected: Members, key: string): boolean {
  for (const { name } of expected) if (name === key) return true;
  return false;
}
