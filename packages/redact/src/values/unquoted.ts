import { PLACEHOLDER } from '../placeholder.js';
import {
  AMPERSAND,
  BACKSLASH,
  BLANK,
  BYTES,
  COMMA,
  charSet,
  codeAt,
  codeBefore,
  DASH,
  EQUALS,
  endOfMatch,
  endOfRun,
  isBefore,
  isIn,
  isSpace,
  LETTER,
  SLASH,
  SMALL_A,
  SMALL_U,
  SPACE,
} from '../scanning/chars.js';
import { backslashesEnd } from '../scanning/escapes.js';
import { isPlaceholder } from '../scanning/scan.js';
import { BEYOND_ASCII, type Text } from '../scanning/text.js';
import { escapedQuoteEnd, mayFollowQuote } from './quoted.js';

/** The opening character for each closing one. Other punctuation at the end of a value never belongs to it. */
const OPENS: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[', '>': '<' };
const TRAILING_PUNCTUATION = charSet('\\])}>,;"\'` \t');
const PAIRED = charSet('\\])}>');
const QUOTE = charSet('"\'`');

/** Returns the end of a value without the punctuation that belongs to the text around it: `(password=x),`. */
export function trimTrailingPunctuation(text: Text, from: number, end: number): number {
  if (!isBefore(text, end, TRAILING_PUNCTUATION)) return end;
  let opened: Map<string, boolean> | undefined;
  let at = end;
  while (at > from && isBefore(text, at, TRAILING_PUNCTUATION)) {
    if (isBefore(text, at, PAIRED)) {
      opened ??= new Map();
      if (isOpened(text, from, end, at - 1, opened)) break;
    }
    at--;
    if (isIn(text, at, QUOTE)) while (at > from && codeBefore(text, at) === BACKSLASH) at--;
  }
  return at;
}

/**
 * True if the value contains the opening character for the closing one at `closer`. Each character is searched for
 * once.
 */
function isOpened(text: Text, from: number, end: number, closer: number, cache: Map<string, boolean>): boolean {
  const opener = OPENS[text.string[closer]!]!;
  let hasOpener = cache.get(opener);
  if (hasOpener === undefined) {
    hasOpener = text.string.slice(from, end).includes(opener);
    cache.set(opener, hasOpener);
  }
  return hasOpener;
}

const STARTS_KEY = charSet('A-Za-z_');
const KEY_CHARS = charSet('\\w.[\\]-');
const MAX_KEY_CHARS = 60;
const MAX_WORD_CHARS = 20;
const OPENS_MEMBER = charSet('"\'{');

/**
 * True if the next member of a list, a query or a connection string begins: `,b=`, `&b=`, `&amp;b=`, `; User Id=`,
 * `,"b":`.
 */
export function isNextMember(text: Text, at: number): boolean {
  if (codeAt(text, at) === AMPERSAND) return isAssigned(text, afterEntity(text, at + 1), 0);
  if (codeAt(text, at) === BACKSLASH) return isAfterEscapedAmpersand(text, at);
  if (codeAt(text, at) === COMMA && opensMember(text, at + 1)) return true;
  return isAssigned(text, isIn(text, at + 1, BLANK) ? at + 2 : at + 1, 2);
}

function afterEntity(text: Text, at: number): number {
  return codeAt(text, at) === SMALL_A && text.string.startsWith('amp;', at) ? at + 'amp;'.length : at;
}

function isAfterEscapedAmpersand(text: Text, at: number): boolean {
  const operator = backslashesEnd(text, at);
  return (
    codeAt(text, operator) === SMALL_U &&
    text.string.startsWith('u0026', operator) &&
    isAssigned(text, operator + 'u0026'.length, 0)
  );
}

function opensMember(text: Text, at: number): boolean {
  const from = isSpace(text, at) ? at + 1 : at;
  return isIn(text, codeAt(text, from) === BACKSLASH ? backslashesEnd(text, from) : from, OPENS_MEMBER);
}

/** True if a key, up to `moreWords` further words, and `=` follow. */
function isAssigned(text: Text, from: number, moreWords: number): boolean {
  const start = isIn(text, from, STARTS_KEY) ? from + 1 : isPlaceholder(text, from) ? from + PLACEHOLDER.length : -1;
  if (start < 0) return false;
  let end = endOfRun(text, start, KEY_CHARS);
  if (end - start > MAX_KEY_CHARS) return false;
  for (let words = 0; words < moreWords && codeAt(text, end) === SPACE && isIn(text, end + 1, LETTER); words++) {
    const wordEnd = endOfRun(text, end + 1, LETTER);
    if (wordEnd - end > MAX_WORD_CHARS + 1) return false;
    end = wordEnd;
  }
  if (isIn(text, end, BLANK)) end++;
  return codeAt(text, end) === EQUALS && codeAt(text, end + 1) !== EQUALS;
}

/** Finds the end of an unquoted value that starts at `from`. */
export type UnquotedEnd = (text: Text, from: number) => number;

/** Returns true if the value ends at the character at `at`. */
type Stop = (text: Text, at: number) => boolean;

/** The characters at which a value may end, by their codes. */
interface Stops {
  /** 1 for each character that has an entry in `stops`. */
  readonly mayStop: Uint8Array;
  readonly stops: readonly (Stop | undefined)[];
}

const LINE_ESCAPE = charSet('nr');
const SMALL_OR_DIGIT = charSet('a-z\\d');

/**
 * The characters of a key after `\n`. Without a key, `\n` before a small letter can be part of a path or a password.
 */
const ESCAPED_KEY_CHARS = charSet('\\w.-');
const SIGNS = charSet('=:');
const AFTER_HEADER = charSet(',)}\\]"\'\\\\');
/** An attribute after the name and value in Set-Cookie. */
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
  return !isIn(text, at + 1, SMALL_OR_DIGIT) || isAssignedAfterEscape(text, at + 1);
}

function isAssignedAfterEscape(text: Text, key: number): boolean {
  const end = endOfRun(text, key, ESCAPED_KEY_CHARS);
  return end - key <= MAX_KEY_CHARS && isIn(text, isIn(text, end, BLANK) ? end + 1 : end, SIGNS);
}

/** True if an escaped line break is at `at`. No value begins with one. */
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

/** @param beyondAscii decides if a character beyond ASCII ends the value; by default, none does */
function stopsOf(beyondAscii: Stop | undefined, byChar: Readonly<Record<string, Stop>>): Stops {
  const stops = Array.from({ length: BYTES }, (_, code) => byChar[String.fromCharCode(code)]);
  stops[END_OF_TEXT] = always;
  stops[BEYOND_ASCII] = beyondAscii;
  return { stops, mayStop: Uint8Array.from(stops, (stop) => (stop ? 1 : 0)) };
}

/** The value ends at white space, the closing quote of the string around it, the next member, or a closing tag. */
export const endAtSpace: UnquotedEnd = (text, from) =>
  trimTrailingPunctuation(text, from, scanUntil(text, from, VALUE_STOPS));

/** The value ends at the end of the line, the closing quote around the header, or the attributes of a cookie. */
export const endAtLine: UnquotedEnd = (text, from) =>
  trimTrailingPunctuation(text, from, scanUntil(text, from, HEADER_STOPS));

/**
 * The value ends at `;`, the closing quote around the connection string, an option after it, or the end of the line.
 */
export const endAtSemicolon: UnquotedEnd = (text, from) => scanUntil(text, from, CONNECTION_STOPS);

function scanUntil(text: Text, from: number, { mayStop, stops }: Stops): number {
  const { codes } = text;
  for (let at = from; ; at++) {
    while (mayStop[codes[at]!] === 0) at++;
    if (stops[codes[at]!]!(text, at)) return at;
    if (codes[at] === BACKSLASH) while (codes[at + 1] === BACKSLASH) at++;
  }
}
