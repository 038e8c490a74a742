import { PLACEHOLDER } from '@mortise/redact/placeholder';
import { SECRET_MARKERS } from '../secret.js';

const { start, end } = SECRET_MARKERS;
/** What `secret()` marked, also where its end was cut off. */
const MARKED = new RegExp(`${start}[^${end}]*(?:${end}|$)`, 'g');
/** The characters by which `secret()` and `notSecret()` mark a text. */
const MARKS = new RegExp(`[${start}${end}\uFDD2\uFDD3\uFDE0-\uFDEF]`, 'g');

/** Converts a text for the caller. */
type Show = (text: string) => string;

/** `[REDACTED]` in the place of what `secret()` marked, as the server shows it. */
const hidden: Show = (text) => text.replace(MARKED, PLACEHOLDER).replace(MARKS, '');

/** The text itself without the marks, as a call with `unsafeOutput` shows it. */
const shown: Show = (text) => text.replace(MARKS, '');

/** A copy of a value of plain data, in which each text and key is as the caller of the server would see it. */
export function withoutMarks<T>(value: T, isUnsafe = false): T {
  return replaceTexts(value, isUnsafe ? shown : hidden) as T;
}

function replaceTexts(value: unknown, show: Show): unknown {
  if (typeof value === 'string') return show(value);
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, show));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [show(key), replaceTexts(member, show)]));
}
