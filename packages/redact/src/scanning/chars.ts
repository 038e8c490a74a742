import { BEYOND_ASCII, type Text } from './text.js';

/** Character codes, for comparisons with `charCodeAt`: the cheapest look at a text. */
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

/** Membership of the ASCII characters in a set by their code; neither NUL nor characters beyond ASCII are in one. */
export type CharSet = Uint8Array;

const MAX_ASCII = 127;
/** All that a byte can be, so that no code needs to be compared before it is looked up. */
export const BYTES = 256;

const ASCII = String.fromCharCode(...Array.from({ length: MAX_ASCII }, (_, index) => index + 1));

/** @param members the inside of a regular expression's brackets: `A-Za-z0-9_` */
export function charSet(members: string): CharSet {
  const set = madeSets.get(members) ?? readSet(members);
  madeSets.set(members, set);
  return set.slice();
}

/** Many are made at a start, and most of them are of few kinds. */
const madeSets = new Map<string, CharSet>();

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

// The next four are so small that V8 makes them part of whatever calls them.

/** The code of the character at `at`, which is not negative; 0 at the text's end and CHARS_BEYOND_END after it. */
export function codeAt(text: Text, at: number): number {
  return text.codes[at]!;
}

/** The code of the character before `at`, which is not beyond the end; 0 at the text's start. */
export function codeBefore(text: Text, at: number): number {
  return at > 0 ? text.codes[at - 1]! : 0;
}

/** Whether the character at `at`, as for `codeAt`, is in the set. */
export function isIn(text: Text, at: number, set: CharSet): boolean {
  return set[codeAt(text, at)] === 1;
}

/** Whether the character before `at`, as for `codeBefore`, is in the set. */
export function isBefore(text: Text, at: number, set: CharSet): boolean {
  return set[codeBefore(text, at)] === 1;
}

/** The end of the run of `set` that starts at `from`. */
export function endOfRun(text: Text, from: number, set: CharSet): number {
  const { codes } = text;
  let at = from;
  while (set[codes[at]!] === 1) at++;
  return at;
}

/** The start of the run of `set` that ends at `end`; looks back at most `limit` characters. */
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

/** Whether `\s` matches there. */
export function isSpace(text: Text, at: number): boolean {
  return isIn(text, at, ASCII_SPACE) || (codeAt(text, at) === BEYOND_ASCII && isOtherSpace(text, at));
}

function isOtherSpace(text: Text, at: number): boolean {
  return OTHER_SPACES.has(text.string.charCodeAt(at));
}

/** The end of the run of white space at `from`, but no more than `limit` characters on. */
export function spacesEnd(text: Text, from: number, limit: number): number {
  let at = from;
  while (at - from < limit && isSpace(text, at)) at++;
  return at;
}

/** Whether the text at `at` starts with `lowerCase`, ignoring ASCII case. */
export function startsWithAt(text: Text, at: number, lowerCase: string): boolean {
  for (let offset = 0; offset < lowerCase.length; offset++) {
    if (lowerCode(codeAt(text, at + offset)) !== lowerCase.charCodeAt(offset)) return false;
  }
  return true;
}

/** A sticky pattern of words, which are separated by spaces here: all the letters at a place, in any case, are one of them. */
export function wordPattern(words: string): RegExp {
  return new RegExp(`(?:${words.replaceAll(' ', '|')})(?![A-Za-z])`, 'iy');
}

/** The code of a letter from A to Z in small; any other as it is. */
export function lowerCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}

/** The match of a sticky pattern at `at`. */
export function matchAt(pattern: RegExp, text: Text, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text.string);
}

/**
 * The end of the sticky pattern's match at `at`, or -1.
 *
 * @param first the characters a match can begin with; at any other character the pattern, which is much slower, is not tried
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
