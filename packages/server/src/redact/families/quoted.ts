import { charSet, isIn, lineEnd, matchAt, matchEnd } from '../chars.js';

/** A value in quotes: its inside from `start` up to `end`; reading goes on at `next`. */
export interface Quoted {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** What may stand after a quote that closes. */
export const AFTER_CLOSING_QUOTE = /$|[\s,;:)}\]>"'`\\/&|]/y;

/** A letter before the quote (`@"x"`, `b'x'`); the backslashes and the quote; or an entity. */
const OPENER =
  /(?:[@$]{1,2}(?=")|[bfnru](?=["']))?(?:(\\{0,64})(["'`]|u0022|u0027)|(&quot;|&#34;|&#x22;|&apos;|&#39;|%22))/iy;

const STARTS_OPENER = charSet('@$bfnruBFNRU"\'`\\\\&%');

/** How far a quoted value may go on after the end of its line. */
const MAX_CHARS_BEYOND_LINE = 4096;

/**
 * The quoted value at `from`: `"x"`, `'x'`, `` `x` ``, with what may be inside (`"a\"b"`, `'a''b'`); escaped as in JSON
 * text, at any depth (`\"x\"`); with doubled quotes (`""x""`); with entities (`&quot;x&quot;`). Without a closing
 * quote it ends with its line.
 */
export function readQuoted(text: string, from: number): Quoted | undefined {
  if (!isIn(text, from, STARTS_OPENER)) return undefined;
  const opener = matchAt(OPENER, text, from);
  if (!opener) return undefined;
  const start = from + opener[0].length;
  const [, backslashes = '', quote, entity] = opener;
  if (quote === undefined) return closedBy(text, start, text.indexOf(entity!, start), entity!.length);
  if (backslashes || quote.length > 1) return readEscaped(text, start, quote, backslashes.length);
  const repeated = text[start] !== quote ? 1 : text[start + 1] !== quote ? 2 : 3;
  if (repeated === 1) return readPlain(text, start, quote);
  const inside = start + repeated - 1;
  if (repeated === 2 && matchEnd(AFTER_CLOSING_QUOTE, text, inside) >= 0) return { start, end: start, next: inside };
  return closedBy(text, inside, text.indexOf(quote.repeat(repeated), inside), repeated);
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
  while (at > floor && text[at - 1] === '\\') at--;
  return before - at;
}
