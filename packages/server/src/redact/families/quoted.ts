import { charSet, codeAt, codeBefore, isIn, isSpace, lineEnd, standsAt } from '../chars.js';
import { BACKSLASH, DOUBLE_QUOTE } from '../codes.js';
import { backslashesEnd } from '../escapes.js';

/** A value in quotes: its inside from `start` up to `end`; reading goes on at `next`. */
export interface Quoted {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

const ESCAPED_QUOTES = ['u0022', 'u0027'] as const;
const ENTITIES = ['&quot;', '&#34;', '&#x22;', '&apos;', '&#39;', '%22'] as const;

export const QUOTE = charSet('"\'`');
const STRING_QUOTE = charSet('"\'');
const U = charSet('uU');
const STARTS_ENTITY = charSet('&%');
const MAY_CLOSE = charSet('"\'`\\\\uU&%');
const MAX_REPEATED = 3;
const STARTS_OPENER = charSet('@$bfnruBFNRU"\'`\\\\&%');
const VERBATIM_PREFIX = charSet('@$');
const LETTER_PREFIX = charSet('bfnruBFNRU');
const AFTER_CLOSING_QUOTE = charSet('\\s,;:)}\\]>"\'`\\\\/&|');

/** How far a quoted value may go on after the end of its line. */
const MAX_CHARS_BEYOND_LINE = 4096;

/** Whether a quote right before may close: before white space, a mark that separates or closes, or the text's end. */
export function mayFollowQuote(text: string, at: number): boolean {
  return at >= text.length || isIn(text, at, AFTER_CLOSING_QUOTE) || isSpace(text, at);
}

/** The end of the quote at `at` that may close a string, in any writing; `at` where there is none. */
export function afterQuote(text: string, at: number): number {
  if (!isIn(text, at, MAY_CLOSE)) return at;
  const from = backslashesEnd(text, at);
  let end = from;
  while (end - from < MAX_REPEATED && isIn(text, end, QUOTE)) end++;
  if (end > from) return end;
  const quote = quoteAt(text, from);
  return quote === undefined ? at + entityLength(text, at) : from + quote.length;
}

/** The quote at `at` as it is written, other than by an entity: `"`, `'`, `` ` ``, `u0022`, `u0027`. */
function quoteAt(text: string, at: number): string | undefined {
  if (isIn(text, at, QUOTE)) return text[at];
  const isEscaped = isIn(text, at, U) && ESCAPED_QUOTES.some((quote) => standsAt(text, at, quote));
  return isEscaped ? text.slice(at, at + ESCAPED_QUOTES[0].length) : undefined;
}

/** The length of the entity or percent escape at `at` that stands for a quote, or 0. */
function entityLength(text: string, at: number): number {
  if (!isIn(text, at, STARTS_ENTITY)) return 0;
  return ENTITIES.find((entity) => standsAt(text, at, entity))?.length ?? 0;
}

/**
 * The quoted value at `from`: `"x"`, `'x'`, `` `x` ``, with what may be inside (`"a\"b"`, `'a''b'`); escaped as in JSON
 * text, at any depth (`\"x\"`); with doubled quotes (`""x""`); with entities (`&quot;x&quot;`). Without a closing
 * quote it ends with its line.
 */
export function readQuoted(text: string, from: number): Quoted | undefined {
  if (!isIn(text, from, STARTS_OPENER)) return undefined;
  const entity = entityLength(text, from);
  if (entity > 0) return readToEntity(text, from, entity);
  const slashes = afterPrefix(text, from);
  const at = backslashesEnd(text, slashes);
  const quote = quoteAt(text, at);
  if (quote === undefined) return undefined;
  const start = at + quote.length;
  if (at > slashes || quote.length > 1) return readEscaped(text, start, quote, at - slashes);
  const repeated = text[start] !== quote ? 1 : text[start + 1] !== quote ? 2 : 3;
  if (repeated === 1) return readPlain(text, start, quote);
  const inside = start + repeated - 1;
  if (repeated === 2 && mayFollowQuote(text, inside)) return { start, end: start, next: inside };
  return closedBy(text, inside, text.indexOf(quote.repeat(repeated), inside), repeated);
}

/** Past a letter or marks before the quote: `@"x"`, `$@"x"`, `b'x'`. */
function afterPrefix(text: string, from: number): number {
  if (isIn(text, from, LETTER_PREFIX)) return isIn(text, from + 1, STRING_QUOTE) ? from + 1 : from;
  if (!isIn(text, from, VERBATIM_PREFIX)) return from;
  const end = isIn(text, from + 1, VERBATIM_PREFIX) ? from + 2 : from + 1;
  return codeAt(text, end) === DOUBLE_QUOTE ? end : from;
}

function readToEntity(text: string, from: number, length: number): Quoted {
  const start = from + length;
  return closedBy(text, start, text.indexOf(text.slice(from, start), start), length);
}

function readPlain(text: string, start: number, quote: string): Quoted {
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (countBackslashes(text, at, start) % 2 === 1) continue;
    if (text[at + 1] !== quote) return closedBy(text, start, at, 1);
    at++;
  }
  return closedBy(text, start, -1, 0);
}

/** A quote with as many backslashes as the opening one, or fewer, closes; one with more is part of the value. */
function readEscaped(text: string, start: number, quote: string, depth: number): Quoted {
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
    const backslashes = countBackslashes(text, at, start);
    if (backslashes <= depth) return closedBy(text, start, at - backslashes, backslashes + quote.length);
  }
  return closedBy(text, start, -1, 0);
}

function closedBy(text: string, start: number, closing: number, length: number): Quoted {
  if (closing >= 0 && closing - start <= MAX_CHARS_BEYOND_LINE) return { start, end: closing, next: closing + length };
  const ownLine = lineEnd(text, start);
  if (closing < 0 || closing > ownLine + MAX_CHARS_BEYOND_LINE) return { start, end: ownLine, next: ownLine };
  return { start, end: closing, next: closing + length };
}

function countBackslashes(text: string, before: number, floor: number): number {
  let at = before;
  while (at > floor && codeBefore(text, at) === BACKSLASH) at--;
  return before - at;
}
