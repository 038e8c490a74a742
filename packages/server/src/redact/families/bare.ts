import { BLANK, charSet, codeAt, isIn, isSpace, LETTER, MAX_ASCII, matchEnd, runEnd } from '../chars.js';
import { BACKSLASH, DASH, SLASH } from '../codes.js';
import { backslashesEnd } from '../escapes.js';
import type { Text } from '../text.js';
import { withoutClosers } from './closers.js';
import { isNextMember } from './next-member.js';
import { escapedQuoteEnd, mayFollowQuote } from './quoted.js';

/** Where a value without quotes ends, given where it starts. */
export type BareEnd = (text: Text, from: number) => number;

/** Whether the value ends at a character. */
type Stop = (text: Text, at: number) => boolean;

/** By character code; other characters are part of the value. */
type Stops = readonly (Stop | undefined)[];

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
  matchEnd(COOKIE_ATTRIBUTE, text, isSpace(text, at + 1) ? at + 2 : at + 1, STARTS_ATTRIBUTE) >= 0;
const isNextOption: Stop = (text, at) =>
  codeAt(text, at + 1) === DASH &&
  (isIn(text, at + 2, LETTER) || (codeAt(text, at + 2) === DASH && isIn(text, at + 3, LETTER)));

function isLineBreakEscape(text: Text, at: number): boolean {
  if (!isIn(text, at, LINE_ESCAPE)) return false;
  return !isIn(text, at + 1, SMALL_OR_DIGIT) || isAssigned(text, at + 1);
}

function isAssigned(text: Text, key: number): boolean {
  const end = runEnd(text, key, KEY_CHARS);
  return end - key <= MAX_KEY_CHARS && isIn(text, isIn(text, end, BLANK) ? end + 1 : end, SIGNS);
}

const LINE_BREAKS = { '\n': always, '\r': always };
const QUOTES = { '"': isClosingQuote, "'": isClosingQuote, '`': isClosingQuote };

const VALUE_STOPS = stopsOf({
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
const CONNECTION_STOPS = stopsOf({
  ...QUOTES,
  ...LINE_BREAKS,
  '\\': isClosingEscape,
  ';': always,
  '&': (text, at) => text.string.startsWith('&quot;', at),
  ' ': isNextOption,
});
const HEADER_STOPS = stopsOf({
  ...LINE_BREAKS,
  '"': isQuoteAfterHeader,
  "'": isQuoteAfterHeader,
  ';': isAttributeNext,
  '\\': isEscapeInHeader,
});

function stopsOf(byChar: Readonly<Record<string, Stop>>): Stops {
  return Array.from({ length: 128 }, (_, code) => byChar[String.fromCharCode(code)]);
}

/** To white space, the closing quote of the string around it, the next member, or a closing tag. */
export const endAtSpace: BareEnd = (text, from) =>
  withoutClosers(text, from, readUntil(text, from, VALUE_STOPS, isSpace));

/** To the line's end, the closing quote around the header, or the attributes of a cookie. */
export const endAtLine: BareEnd = (text, from) => withoutClosers(text, from, readUntil(text, from, HEADER_STOPS));

/** To `;`, the closing quote around the connection string, an option after it, or the line's end. */
export const endAtSemicolon: BareEnd = (text, from) => readUntil(text, from, CONNECTION_STOPS);

/** @param beyondAscii whether a character beyond ASCII ends the value */
function readUntil(text: Text, from: number, stops: Stops, beyondAscii?: Stop): number {
  const { codes, length } = text;
  let at = from;
  while (at < length) {
    const code = codes[at]!;
    const stop = code <= MAX_ASCII ? stops[code] : beyondAscii;
    if (stop?.(text, at)) break;
    at++;
    if (code === BACKSLASH) while (codeAt(text, at) === BACKSLASH) at++;
  }
  return at;
}
