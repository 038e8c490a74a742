import { ALPHANUMERIC, BACKSLASH, charSet, codeAt, isBefore, isIn, PERCENT } from './chars.js';
import type { Text } from './text.js';

const HEX = charSet('\\da-fA-F');
const SHORT_ESCAPES = charSet('abfnrtvABFNRTV');
const LINE_ESCAPES = charSet('nrtNRT');
const OPENS_ESCAPE = charSet('\\\\%');
const U = charSet('uU');

/** The length of the longest run of backslashes that is read. Each nesting of strings doubles the backslashes. */
const MAX_BACKSLASHES = 64;

/** Returns the end of the run of backslashes at `from`, which can be empty; the text's end if there are too many. */
export function backslashesEnd(text: Text, from: number): number {
  let end = from;
  while (codeAt(text, end) === BACKSLASH) end++;
  return end - from <= MAX_BACKSLASHES ? end : text.length;
}

/**
 * True if a word can start at `at`: not after a letter or digit, unless it ends an escape such as `\n`, `\u0022`,
 * `%3D`.
 */
export function startsWord(text: Text, at: number): boolean {
  return !isBefore(text, at, ALPHANUMERIC) || endsEscape(text, at);
}

function endsEscape(text: Text, at: number): boolean {
  return (
    (at >= 2 && codeAt(text, at - 2) === BACKSLASH && isBefore(text, at, SHORT_ESCAPES)) ||
    (at >= 3 && isPercentEscape(text, at - 3)) ||
    (at >= 6 && isUnicodeEscape(text, at - 6))
  );
}

/**
 * Corrects the start of a word that was read backwards: if the word includes the letters of an escape, it begins after
 * the escape. Ignores an escape that ends after `limit`.
 */
export function afterEscape(text: Text, start: number, limit: number): number {
  const length = isBefore(text, start, OPENS_ESCAPE) ? escapeLength(text, start - 1) : 0;
  return length > 0 && start - 1 + length <= limit ? start - 1 + length : start;
}

function escapeLength(text: Text, at: number): number {
  if (codeAt(text, at) === BACKSLASH) return isIn(text, at + 1, LINE_ESCAPES) ? 2 : isUnicodeEscape(text, at) ? 6 : 0;
  return isPercentEscape(text, at) ? 3 : 0;
}

function isUnicodeEscape(text: Text, at: number): boolean {
  return codeAt(text, at) === BACKSLASH && isIn(text, at + 1, U) && isHex(text, at + 2, 4);
}

function isPercentEscape(text: Text, at: number): boolean {
  return codeAt(text, at) === PERCENT && isHex(text, at + 1, 2);
}

function isHex(text: Text, from: number, digits: number): boolean {
  for (let at = from; at < from + digits; at++) if (!isIn(text, at, HEX)) return false;
  return true;
}
