import { PLACEHOLDER } from '@mortise/redact/placeholder';
import { SECRET_MARKERS } from '../secret.js';

const { start, end } = SECRET_MARKERS;
/** A text that `secret()` marked, also if its end was cut off. */
const MARKED = new RegExp(`${start}[^${end}]*(?:${end}|$)`, 'g');
/** The characters with which `secret()` and `notSecret()` mark texts. */
const MARKS = new RegExp(`[${start}${end}\uFDD2\uFDD3\uFDE0-\uFDEF]`, 'g');

type Show = (text: string) => string;

/** Replaces texts that `secret()` marked by `[REDACTED]`, as the server does. */
const hidden: Show = (text) => text.replace(MARKED, PLACEHOLDER).replace(MARKS, '');

/** Removes only the marks, as the server does in a call with `unsafeOutput`. */
const shown: Show = (text) => text.replace(MARKS, '');

/** Copies plain data, with all texts and keys as a client of the server would see them. */
export function withoutMarks<T>(value: T, isUnsafe = false): T {
  return replaceTexts(value, isUnsafe ? shown : hidden) as T;
}

function replaceTexts(value: unknown, show: Show): unknown {
  if (typeof value === 'string') return show(value);
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, show));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [show(key), replaceTexts(member, show)]));
}
