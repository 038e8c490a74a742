import {
  BACKSLASHES,
  BLANK,
  charSet,
  codeAt,
  codeBefore,
  isBefore,
  isIn,
  isSpace,
  LETTER,
  runEnd,
  runStart,
  spacesEnd,
  standsAt,
} from '../chars.js';
import { AMPERSAND, COMMA, SEMICOLON } from '../codes.js';
import { backslashesEnd } from '../escapes.js';
import type { Text } from '../text.js';
import { wordEnd, wordTable } from '../word-table.js';

const NAMES = wordTable(['name', 'key', 'id']);
const MAX_NAME_LETTERS = 4;
const BEFORE_NAMED = charSet('\\s"\';=:');
const QUOTE = charSet('"\'');
const ENTITY = '&quot;';
const ASSIGNS = charSet('=:');
const V = charSet('vV');
const VALUE = 'value';
const MAX_NAME_CHARS = 40;
const MAX_SPACES = 20;
const MAX_SPACES_BETWEEN = 100;
const MAX_BLANKS = 20;

/** Whether the key at `at` is the value of a name: `name="Key"`, `- key: Key`, `{"id": "Key"`. */
export function isNamed(text: Text, at: number): boolean {
  if (!isBefore(text, at, BEFORE_NAMED)) return false;
  const floor = Math.max(0, at - MAX_NAME_CHARS);
  const sign = beforeSpaces(text, beforeQuote(text, at, floor), floor) - 1;
  if (sign < floor || !isIn(text, sign, ASSIGNS)) return false;
  const end = beforeQuote(text, beforeSpaces(text, sign, floor), floor);
  const start = runStart(text, end, LETTER, Math.min(MAX_NAME_LETTERS + 1, end - floor));
  return wordEnd(text, start, NAMES) === end;
}

function beforeSpaces(text: Text, end: number, floor: number): number {
  let at = end;
  while (at > floor && end - at < MAX_SPACES && isSpace(text, at - 1)) at--;
  return at;
}

function beforeQuote(text: Text, end: number, floor: number): number {
  if (end > floor && isBefore(text, end, QUOTE)) return runStart(text, end - 1, BACKSLASHES, end - 1 - floor);
  const entity = end - ENTITY.length;
  return entity >= floor && codeBefore(text, end) === SEMICOLON && standsAt(text, entity, ENTITY) ? entity : end;
}

/**
 * The place of the `=` or `:` of the value that goes with the name that ends at `from`, or -1: `" value="x"`,
 * `", "value": "x"`.
 */
export function valueSign(text: Text, from: number): number {
  const comma = spacesEnd(text, afterQuote(text, from), MAX_SPACES_BETWEEN);
  const next = codeAt(text, comma) === COMMA ? comma + 1 : comma;
  const value = afterQuote(text, spacesEnd(text, next, MAX_SPACES_BETWEEN));
  if (!isIn(text, value, V) || !standsAt(text, value, VALUE)) return -1;
  const sign = spacesEnd(text, afterQuote(text, value + VALUE.length), MAX_SPACES);
  return isIn(text, sign, ASSIGNS) ? sign : -1;
}

/** Where the value begins after its sign. */
export function afterValueSign(text: Text, sign: number): number {
  return Math.min(runEnd(text, sign + 1, BLANK), sign + 1 + MAX_BLANKS);
}

function afterQuote(text: Text, at: number): number {
  const quote = backslashesEnd(text, at);
  if (isIn(text, quote, QUOTE)) return quote + 1;
  return codeAt(text, at) === AMPERSAND && standsAt(text, at, ENTITY) ? at + ENTITY.length : at;
}
