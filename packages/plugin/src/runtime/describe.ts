import { types } from 'node:util';

/** True also for an Error of another realm. */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || value instanceof Error;
}

/** The message of an error with its causes, or its name if it has no message. Never throws, never empty. */
export function describeError(error: unknown): string {
  try {
    return textOf(error, 0);
  } catch {
    return 'an error that cannot be read';
  }
}

/**
 * The unchanged message of an error, or the result of {@link describeError} if it has none. Throws if a getter throws.
 */
export function messageOfError(error: Error): string {
  const { message } = error;
  return typeof message === 'string' && message.trim() !== '' ? message : describeError(error);
}

/** The text with a full stop, unless it already ends with punctuation. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text.trimEnd()) ? text.trimEnd() : `${text}.`);

const MAX_CAUSES = 3;

function textOf(error: unknown, depth: number): string {
  if (typeof error === 'string' && error.trim() !== '') return error;
  if (typeof error !== 'object' || error === null) return describeValue(error);
  const { message, cause, errors, code, name } = error as Partial<AggregateError> & { code?: unknown };
  const causes = depth < MAX_CAUSES ? [cause, ...(Array.isArray(errors) ? errors.slice(0, MAX_CAUSES) : [])] : [];
  const causeTexts = causes
    .filter((item) => item !== undefined && item !== null)
    .map((item) => textOf(item, depth + 1));
  const ownText = [message, code, name].find((text) => typeof text === 'string' && text.trim() !== '');
  const newTexts = causeTexts.filter((text) => typeof ownText !== 'string' || !ownText.includes(text));
  if (newTexts.length === 0) return String(ownText ?? describeValue(error));
  return `${ownText ?? 'error'} (cause: ${newTexts.join('; ')})`;
}

const MAX_KEYS = 8;
/** Longer keys are not shown, and never shortened, because redaction does not recognise a partial secret. */
const MAX_KEY_CHARS = 80;

/** Describes the type of a value for messages: `an object with the members a, b`. Never throws, never shows values. */
export function describeValue(value: unknown): string {
  try {
    return kindOf(value);
  } catch {
    return 'an object that cannot be read';
  }
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'bigint') return 'a BigInt';
  if (typeof value === 'string' && value === '') return 'an empty string';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (name !== 'Object') return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
  const keys = Object.keys(value);
  const keyList = keys
    .slice(0, MAX_KEYS)
    .map((key) => (key.length <= MAX_KEY_CHARS ? key : `one of ${key.length} characters`));
  const more = keys.length > MAX_KEYS ? ', …' : '';
  return keys.length === 0 ? 'an object without members' : `an object with the members ${keyList.join(', ')}${more}`;
}
