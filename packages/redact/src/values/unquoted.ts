import { BLANK, BYTES, charSet, codeAt, endOfMatch, endOfRun, isIn, isSpace, LETTER } from '../scanning/chars.js';
import { BACKSLASH, DASH, SLASH } from '../scanning/codes.js';
import { backslashesEnd } from '../scanning/escapes.js';
import { BEYOND_ASCII, type Text } from '../scanning/text.js';
import { isNextMember } from './next-pair.js';
import { escapedQuoteEnd, mayFollowQuote } from './quoted.js';
import { trimTrailingPunctuation } from './trailing-punctuation.js';

/** Finds the end of an unquoted value that starts at `from`. */
export type UnquotedEnd = (text: Text, from: number) => number;

/** Whether the value ends at a character. */
type Stop = (text: Text, at: number) => boolean;

/** By the codes of characters; others are part of the value. */
interface Stops {
  readonly mayStop: Uint8Array;
  readonly stops: readonly (Stop | undefined)[];
}

const LINE_ESCAPE = charSet('nr');
const SMALL_OR_DIGIT = charSet('a-z\\d');

/** `\n` before a small letter may also be part of a path or a password. */
const KEY_CHARS = charSet('\\w.-');
const MAX_KEY_CHARS = 60;
const SIGNS = charSet('=:');
const AFTER_HEADER = charSet(',)}\\]"\'\\\\');
/** After the name and value in Set-Cookie. */
const COOKIE_ATTRIBUTE =
  /(?:domain|expires|httponly|max-age|partitioned|path|priority|samesite|secure)(?=[\s;=,"']|$)/iy;
const STARTS_ATTRIBUTE = charSet('dehmpsDEHMPS');

const always: Stop = () => true;
const isClosingQuote: Stop = (text, at) => mayFollowQuote(text, at + 1);
const isClosingEscape: Stop = (text, at) => {
  const from = backslashesEnd(text, at);
  const afterQuote = escapedQuoteEnd(text, from);
  return afterQuote < 0 ? isLineBreakEscape(text, from) : mayFollowQuote(text, afterQuote);
};
const isEscapeInHeader: Stop = (text, at) => {
  const from = backslashesEnd(text, at);
  return isIn(text, from, LINE_ESCAPE) || escapedQuoteEnd(text, from) >= 0;
};
const isQuoteAfterHeader: Stop = (text, at) =>
  at + 1 >= text.length || isIn(text, at + 1, AFTER_HEADER) || isSpace(text, at + 1);
const isAttributeNext: Stop = (text, at) =>
  endOfMatch(COOKIE_ATTRIBUTE, text, isSpace(text, at + 1) ? at + 2 : at + 1, STARTS_ATTRIBUTE) >= 0;
const isNextOption: Stop = (text, at) =>
  codeAt(text, at + 1) === DASH &&
  (isIn(text, at + 2, LETTER) || (codeAt(text, at + 2) === DASH && isIn(text, at + 3, LETTER)));

/** @param at the letter after the backslashes */
function isLineBreakEscape(text: Text, at: number): boolean {
  if (!isIn(text, at, LINE_ESCAPE)) return false;
  return !isIn(text, at + 1, SMALL_OR_DIGIT) || isAssigned(text, at + 1);
}

function isAssigned(text: Text, key: number): boolean {
  const end = endOfRun(text, key, KEY_CHARS);
  return end - key <= MAX_KEY_CHARS && isIn(text, isIn(text, end, BLANK) ? end + 1 : end, SIGNS);
}

/** Whether an escaped line break is there: no value begins with one. */
export const isEscapedLineBreak: Stop = (text, at) =>
  codeAt(text, at) === BACKSLASH && isLineBreakEscape(text, backslashesEnd(text, at));

const END_OF_TEXT = 0;
const LINE_BREAKS = { '\n': always, '\r': always };
const QUOTES = { '"': isClosingQuote, "'": isClosingQuote, '`': isClosingQuote };

const VALUE_STOPS = stopsOf(isSpace, {
  ...QUOTES,
  ...LINE_BREAKS,
  ' ': always,
  '\t': always,
  '\\': (text, at) => isClosingEscape(text, at) || isNextMember(text, at),
  ',': isNextMember,
  ';': isNextMember,
  '&': isNextMember,
  '<': (text, at) => codeAt(text, at + 1) === SLASH,
});
const CONNECTION_STOPS = stopsOf(undefined, {
  ...QUOTES,
  ...LINE_BREAKS,
  '\\': isClosingEscape,
  ';': always,
  '&': (text, at) => text.string.startsWith('&quot;', at),
  ' ': isNextOption,
});
const HEADER_STOPS = stopsOf(undefined, {
  ...LINE_BREAKS,
  '"': isQuoteAfterHeader,
  "'": isQuoteAfterHeader,
  ';': isAttributeNext,
  '\\': isEscapeInHeader,
});

/** @param beyondAscii whether a character beyond ASCII ends the value */
function stopsOf(beyondAscii: Stop | undefined, byChar: Readonly<Record<string, Stop>>): Stops {
  const stops = Array.from({ length: BYTES }, (_, code) => byChar[String.fromCharCode(code)]);
  stops[END_OF_TEXT] = always;
  stops[BEYOND_ASCII] = beyondAscii;
  return { stops, mayStop: Uint8Array.from(stops, (stop) => (stop ? 1 : 0)) };
}

/** To white space, the closing quote of the string around it, the next member, or a closing tag. */
export const endAtSpace: UnquotedEnd = (text, from) =>
  trimTrailingPunctuation(text, from, scanUntil(text, from, VALUE_STOPS));

/** To the line's end, the closing quote around the header, or the attributes of a cookie. */
export const endAtLine: UnquotedEnd = (text, from) =>
  trimTrailingPunctuation(text, from, scanUntil(text, from, HEADER_STOPS));

/** To `;`, the closing quote around the connection string, an option after it, or the line's end. */
export const endAtSemicolon: UnquotedEnd = (text, from) => scanUntil(text, from, CONNECTION_STOPS);

function scanUntil(text: Text, from: number, { mayStop, stops }: Stops): number {
  const { codes } = text;
  for (let at = from; ; at++) {
    while (mayStop[codes[at]!] === 0) at++;
    if (stops[codes[at]!]!(text, at)) return at;
    if (codes[at] === BACKSLASH) while (codes[at + 1] === BACKSLASH) at++;
  }
}
