import { BEYOND_ASCII, type Text } from './text.js';

/** Character codes. Comparing codes is the cheapest way to examine a text. */
export const LF = 0x0a;
export const CR = 0x0d;
export const EXCLAMATION_MARK = 0x21;
export const DOUBLE_QUOTE = 0x22;
export const NUMBER_SIGN = 0x23;
export const PERCENT = 0x25;
export const AMPERSAND = 0x26;
export const SINGLE_QUOTE = 0x27;
export const OPENING_PARENTHESIS = 0x28;
export const CLOSING_PARENTHESIS = 0x29;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const LESS_THAN = 0x3c;
export const EQUALS = 0x3d;
export const GREATER_THAN = 0x3e;
export const AT_SIGN = 0x40;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const UNDERSCORE = 0x5f;
export const BACKTICK = 0x60;
export const SMALL_A = 0x61;
export const SMALL_U = 0x75;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;
export const SPACE = 0x20;
export const TILDE = 0x7e;

/** A set of ASCII characters: 1 at the code of each member. It contains neither NUL nor characters beyond ASCII. */
export type CharSet = Uint8Array;

const MAX_ASCII = 127;
/** The size of a table by code, which has an entry for every byte, so that lookups need no check of the range. */
export const BYTES = 256;

const ASCII = String.fromCharCode(...Array.from({ length: MAX_ASCII }, (_, index) => index + 1));

/** Creates a set. @param members the inside of a regular expression's brackets: `A-Za-z0-9_` */
export function charSet(members: string): CharSet {
  const set = cachedSets.get(members) ?? readSet(members);
  cachedSets.set(members, set);
  return set.slice();
}

/** Many sets are created at startup, and most of them have the same members as another one. */
const cachedSets = new Map<string, CharSet>();

function readSet(members: string): CharSet {
  const set = new Uint8Array(BYTES);
  for (const char of ASCII.match(new RegExp(`[${members}]`, 'g')) ?? []) set[char.charCodeAt(0)] = 1;
  return set;
}

export const LETTER = charSet('A-Za-z');
export const DIGIT = charSet('\\d');
export const ALPHANUMERIC = charSet('A-Za-z\\d');
export const BLANK = charSet(' \\t');
export const BACKSLASHES = charSet('\\\\');

// The next four functions are small enough for V8 to inline them.

/** Returns the code of the character at `at` (at least 0). It is 0 at the text's end and CHARS_BEYOND_END beyond it. */
export function codeAt(text: Text, at: number): number {
  return text.codes[at]!;
}

/** Returns the code of the character before `at`, which must not be beyond the end. It is 0 at the text's start. */
export function codeBefore(text: Text, at: number): number {
  return at > 0 ? text.codes[at - 1]! : 0;
}

/** True if the character at `at` is in the set. The rules for `at` are those of `codeAt`. */
export function isIn(text: Text, at: number, set: CharSet): boolean {
  return set[codeAt(text, at)] === 1;
}

/** True if the character before `at` is in the set. The rules for `at` are those of `codeBefore`. */
export function isBefore(text: Text, at: number, set: CharSet): boolean {
  return set[codeBefore(text, at)] === 1;
}

/** Returns the end of the run of characters of `set` that starts at `from`. */
export function endOfRun(text: Text, from: number, set: CharSet): number {
  const { codes } = text;
  let at = from;
  while (set[codes[at]!] === 1) at++;
  return at;
}

/** Returns the start of the run of characters of `set` that ends at `end`. Looks back at most `limit` characters. */
export function startOfRun(text: Text, end: number, set: CharSet, limit: number): number {
  const { codes } = text;
  const floor = Math.max(0, end - limit);
  let at = end;
  while (at > floor && set[codes[at - 1]!] === 1) at--;
  return at;
}

const ASCII_SPACE = charSet('\\s');
const OTHER_SPACES: ReadonlySet<number> = new Set(
  [
    ...'\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
  ].map((char) => char.charCodeAt(0)),
);

/** True if `\s` matches the character at `at`. */
export function isSpace(text: Text, at: number): boolean {
  return isIn(text, at, ASCII_SPACE) || (codeAt(text, at) === BEYOND_ASCII && isOtherSpace(text, at));
}

function isOtherSpace(text: Text, at: number): boolean {
  return OTHER_SPACES.has(text.string.charCodeAt(at));
}

/** Returns the end of the white space that starts at `from`. Looks ahead at most `limit` characters. */
export function spacesEnd(text: Text, from: number, limit: number): number {
  let at = from;
  while (at - from < limit && isSpace(text, at)) at++;
  return at;
}

/** True if `lowerCase` is in the text at `at`, ignoring ASCII case. */
export function startsWithAt(text: Text, at: number, lowerCase: string): boolean {
  for (let offset = 0; offset < lowerCase.length; offset++) {
    if (lowerCode(codeAt(text, at + offset)) !== lowerCase.charCodeAt(offset)) return false;
  }
  return true;
}

/** Creates a sticky pattern that matches one of the words as a whole, in any case. @param words separated by spaces */
export function wordPattern(words: string): RegExp {
  return new RegExp(`(?:${words.replaceAll(' ', '|')})(?![A-Za-z])`, 'iy');
}

/** Converts the code of an ASCII letter to lower case. Other codes stay unchanged. */
export function lowerCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}

export function matchAt(pattern: RegExp, text: Text, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text.string);
}

/**
 * Returns the end of the sticky pattern's match at `at`, or -1.
 *
 * @param first the characters with which a match can begin; a look at this set is much faster than trying the pattern
 */
export function endOfMatch(pattern: RegExp, text: Text, at: number, first?: CharSet): number {
  if (first && !isIn(text, at, first)) return -1;
  pattern.lastIndex = at;
  return pattern.test(text.string) ? pattern.lastIndex : -1;
}

export function lineEnd(text: Text, from: number): number {
  let at = from;
  while (at < text.length && !isLineBreak(codeAt(text, at))) at++;
  return at;
}

export function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
