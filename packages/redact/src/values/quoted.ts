import {
  AMPERSAND,
  BACKSLASH,
  charSet,
  codeAt,
  codeBefore,
  DOUBLE_QUOTE,
  isIn,
  isSpace,
  lineEnd,
  PERCENT,
  SMALL_U,
  startsWithAt,
} from '../scanning/chars.js';
import { backslashesEnd } from '../scanning/escapes.js';
import type { Text } from '../scanning/text.js';

export interface Quoted {
  /** The position after the opening quote. */
  readonly start: number;
  /** The position of the closing quote. */
  readonly end: number;
  /** The position after the closing quote, where reading continues. */
  readonly next: number;
}

const ENTITIES = ['&quot;', '&#34;', '&#x22;', '&apos;', '&#39;'] as const;
const ESCAPED_BY_PERCENT = '%22';

export const QUOTE = charSet('"\'`');
const STRING_QUOTE = charSet('"\'');
const U = charSet('uU');
const LAST_OF_ESCAPED_QUOTE = charSet('27');
const ESCAPED_QUOTE_CHARS = 'u0022'.length;
const MAY_CLOSE = charSet('"\'`\\\\uU&%');
const MAX_REPEATED = 3;
/** The characters with which a value for {@link parseQuoted} can begin: a fast check. */
export const STARTS_OPENER = charSet('@$bfnruBFNRU"\'`\\\\&%');
const VERBATIM_PREFIX = charSet('@$');
const LETTER_PREFIX = charSet('bfnruBFNRU');
const AFTER_CLOSING_QUOTE = charSet('\\s,;:)}\\]>"\'`\\\\/&|');

/** The maximum length of a quoted value after the end of its first line. */
const MAX_CHARS_BEYOND_LINE = 4096;

/**
 * True if a quote directly before `at` can close: before white space, a separator, a closing character or the text's
 * end.
 */
export function mayFollowQuote(text: Text, at: number): boolean {
  return at >= text.length || isIn(text, at, AFTER_CLOSING_QUOTE) || isSpace(text, at);
}

/** Returns the end of the quote at `at`, escaped or not, that can close a string; `at` if there is none. */
export function afterQuote(text: Text, at: number): number {
  if (!isIn(text, at, MAY_CLOSE)) return at;
  const from = backslashesEnd(text, at);
  let end = from;
  while (end - from < MAX_REPEATED && isIn(text, end, QUOTE)) end++;
  if (end > from) return end;
  const length = quoteLength(text, from);
  return length > 0 ? from + length : at + entityLength(text, at);
}

/** Returns the length of the quote at `at` (`"`, `'`, `` ` ``, `u0022`, `u0027`, but no entity), or 0. */
function quoteLength(text: Text, at: number): number {
  if (isIn(text, at, QUOTE)) return 1;
  return isIn(text, at, U) && endsEscapedQuote(text, at + 1) ? ESCAPED_QUOTE_CHARS : 0;
}

/** Returns the end of the quote at `at`, which follows a backslash (`"`, `'`, `` ` ``, `u0022`, `u0027`), or -1. */
export function escapedQuoteEnd(text: Text, at: number): number {
  if (isIn(text, at, QUOTE)) return at + 1;
  return codeAt(text, at) === SMALL_U && endsEscapedQuote(text, at + 1) ? at + ESCAPED_QUOTE_CHARS : -1;
}

/** True if `0022` or `0027` is at `at`. */
function endsEscapedQuote(text: Text, at: number): boolean {
  return startsWithAt(text, at, '002') && isIn(text, at + '002'.length, LAST_OF_ESCAPED_QUOTE);
}

/** Returns the length of the entity or percent escape for a quote at `at`, or 0. */
function entityLength(text: Text, at: number): number {
  const code = codeAt(text, at);
  if (code === PERCENT) return startsWithAt(text, at, ESCAPED_BY_PERCENT) ? ESCAPED_BY_PERCENT.length : 0;
  if (code !== AMPERSAND) return 0;
  for (const entity of ENTITIES) if (startsWithAt(text, at, entity)) return entity.length;
  return 0;
}

/**
 * Reads the quoted value at `from`: `"x"`, `'x'`, `` `x` ``, with escaped or doubled quotes inside (`"a\"b"`,
 * `'a''b'`); escaped as in JSON text, at any depth (`\"x\"`); with doubled quotes around it (`""x""`); with entities
 * (`&quot;x&quot;`). Without a closing quote, the value ends with its line.
 */
export function parseQuoted(text: Text, from: number): Quoted | undefined {
  if (!isIn(text, from, STARTS_OPENER)) return undefined;
  const entity = entityLength(text, from);
  if (entity > 0) return parseToEntity(text, from, entity);
  const backslashesStart = afterPrefix(text, from);
  const at = backslashesEnd(text, backslashesStart);
  const length = quoteLength(text, at);
  if (length === 0) return undefined;
  const start = at + length;
  if (at > backslashesStart || length > 1) return parseEscaped(text, at, start, at - backslashesStart);
  const code = codeAt(text, at);
  const quoteCount = codeAt(text, start) !== code ? 1 : codeAt(text, start + 1) !== code ? 2 : 3;
  if (quoteCount === 1) return parsePlain(text, start, code);
  const inside = start + quoteCount - 1;
  if (quoteCount === 2 && mayFollowQuote(text, inside)) return { start, end: start, next: inside };
  return closedBy(text, inside, text.string.indexOf(text.string.slice(at, inside), inside), quoteCount);
}

/** Skips a letter or `@` and `$` before the quote: `@"x"`, `$@"x"`, `b'x'`. */
function afterPrefix(text: Text, from: number): number {
  if (isIn(text, from, LETTER_PREFIX)) return isIn(text, from + 1, STRING_QUOTE) ? from + 1 : from;
  if (!isIn(text, from, VERBATIM_PREFIX)) return from;
  const end = isIn(text, from + 1, VERBATIM_PREFIX) ? from + 2 : from + 1;
  return codeAt(text, end) === DOUBLE_QUOTE ? end : from;
}

function parseToEntity(text: Text, from: number, length: number): Quoted {
  const start = from + length;
  return closedBy(text, start, text.string.indexOf(text.string.slice(from, start), start), length);
}

function parsePlain(text: Text, start: number, quote: number): Quoted {
  for (let at = nextQuote(text, quote, start); at >= 0; at = nextQuote(text, quote, at + 1)) {
    if (countBackslashes(text, at, start) % 2 === 1) continue;
    if (codeAt(text, at + 1) !== codeAt(text, at)) return closedBy(text, start, at, 1);
    at++;
  }
  return closedBy(text, start, -1, 0);
}

/**
 * Reads a value whose quotes are escaped. It ends at a quote with at most as many backslashes as the opening quote; a
 * quote with more backslashes is part of the value.
 *
 * @param opening the position of the opening quote, after its backslashes
 * @param start the end of the opening quote
 * @param depth the number of backslashes before the opening quote
 */
function parseEscaped(text: Text, opening: number, start: number, depth: number): Quoted {
  const length = start - opening;
  const code = codeAt(text, opening);
  const quote = length === 1 ? '' : text.string.slice(opening, start);
  const next = (from: number) => (length === 1 ? nextQuote(text, code, from) : text.string.indexOf(quote, from));
  for (let at = next(start); at >= 0; at = next(at + 1)) {
    const backslashes = countBackslashes(text, at, start);
    if (backslashes <= depth) return closedBy(text, start, at - backslashes, backslashes + length);
  }
  return closedBy(text, start, -1, 0);
}

/** Up to this distance, reading the codes is faster than calling `indexOf`. */
const MAX_NEAR_CHARS = 48;

/** Returns the first position from `from` on of a quote with this code, or -1. */
function nextQuote(text: Text, quote: number, from: number): number {
  const { codes } = text;
  const far = Math.min(text.length, from + MAX_NEAR_CHARS);
  let at = from;
  while (at < far && codes[at] !== quote) at++;
  return at < far ? at : text.string.indexOf(String.fromCharCode(quote), at);
}

function closedBy(text: Text, start: number, closing: number, length: number): Quoted {
  if (closing >= 0 && closing - start <= MAX_CHARS_BEYOND_LINE) return { start, end: closing, next: closing + length };
  const firstLineEnd = lineEnd(text, start);
  if (closing < 0 || closing > firstLineEnd + MAX_CHARS_BEYOND_LINE)
    return { start, end: firstLineEnd, next: firstLineEnd };
  return { start, end: closing, next: closing + length };
}

function countBackslashes(text: Text, before: number, floor: number): number {
  let at = before;
  while (at > floor && codeBefore(text, at) === BACKSLASH) at--;
  return before - at;
}
