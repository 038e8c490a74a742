import { BLANK, charSet, codeAt, isIn, isSpace, matchEnd, runEnd } from '../chars.js';
import { backslashesEnd } from '../escapes.js';
import { wordEnd, wordTable } from '../word-table.js';
import { QUOTE } from './quoted.js';

/** Values that stand for no value, and the types of declarations. */
const HARMLESS = wordTable([
  ...['cancellationtoken', 'true', 'false', 'null', 'nil', 'none', 'undefined', 'default', 'new'],
  ...['string', 'str', 'number', 'boolean', 'bool', 'object', 'any', 'unknown', 'void'],
]);
const AFTER_HARMLESS = charSet(',;)}\\]|?"\'`\\\\');

/** A sentence goes on: `password: must be longer`, `--token is required`. */
const PROSE = wordTable(
  (
    'a an and are argument can cannot does expected expects flag for from has if in invalid is may missing must ' +
    'needs not on option or parameter required requires should the to was when with'
  ).split(' '),
);
const AFTER_PROSE = charSet('A-Za-z\'"[');

const STARTS_NUMBER = charSet('\\d-');
const NUMBER = /-?\d[\d.eE+-]{0,40}(?=[\s,}\]]|$)/y;

/** `password: string = "x"`. */
const TYPES = wordTable(['string', 'str', 'any', 'unknown']);
const ASSIGNMENT = /[ \t]{0,8}=(?!=)[ \t]{0,8}/y;

const STARTS_DOUBTFUL_QUOTE = charSet('"\'`\\\\');
const AFTER_DOUBTFUL_QUOTE = charSet(',}\\])>\\r\\n');

export function isHarmless(text: string, from: number): boolean {
  const end = wordEnd(text, from, HARMLESS);
  return end >= 0 && (end === text.length || isIn(text, end, AFTER_HARMLESS) || isSpace(text, end));
}

export function isProse(text: string, from: number): boolean {
  const end = wordEnd(text, from, PROSE);
  return end >= 0 && isIn(text, end, BLANK) && isIn(text, runEnd(text, end, BLANK), AFTER_PROSE);
}

/** As JSON writes it. */
export function isNumber(text: string, from: number): boolean {
  return matchEnd(NUMBER, text, from, STARTS_NUMBER) >= 0;
}

/** Past the type and `=` of a declaration, or -1. */
export function afterType(text: string, from: number): number {
  const end = wordEnd(text, from, TYPES);
  return end < 0 ? -1 : matchEnd(ASSIGNMENT, text, end);
}

/** The quote at `from` that may close the string around `Password=` rather than open a value. */
export function doubtfulQuote(text: string, from: number): number | undefined {
  if (!isIn(text, from, STARTS_DOUBTFUL_QUOTE)) return undefined;
  const quote = backslashesEnd(text, from);
  if (!isIn(text, quote, QUOTE)) return undefined;
  const isDoubtful = quote + 1 === text.length || isIn(text, quote + 1, AFTER_DOUBTFUL_QUOTE);
  return isDoubtful ? codeAt(text, quote) : undefined;
}
