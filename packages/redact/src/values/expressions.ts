import {
  BACKTICK,
  BLANK,
  COLON,
  charSet,
  codeAt,
  DOUBLE_QUOTE,
  endOfMatch,
  endOfRun,
  isIn,
  LETTER,
  SINGLE_QUOTE,
} from '../scanning/chars.js';
import type { Text } from '../scanning/text.js';
import { EXPRESSION_FORMS, type ExpressionForm } from './forms.js';
import type { Key } from './key.js';
import { isSecretLiteral, redactInside, redactLiteral, type ValueReader } from './literals.js';
import { parseQuoted } from './quoted.js';
import type { ScanState } from './scan-state.js';

const STARTS_EXPRESSION = charSet('A-Za-z_$@!([{');
const PATH_CHARS = charSet('\\w$.@!>-');
const CONTINUES_PATH = charSet('([<?|{');
/** Characters after white space that continue an expression: an operator, a string, or the `o` of `or`. */
const CONTINUES_AFTER_BLANK = charSet('|?"(o');
const PREFIX = /(?:new|await|Just) /y;

/** A fast check: false if the text at `from` is certainly no expression with a literal inside. */
export function mayHoldLiteral(text: Text, from: number): boolean {
  if (!isIn(text, from, STARTS_EXPRESSION)) return false;
  const end = endOfRun(text, from, PATH_CHARS);
  if (codeAt(text, end) === COLON) return codeAt(text, end + 1) === COLON;
  if (!isIn(text, end, BLANK)) return isIn(text, end, CONTINUES_PATH);
  return isIn(text, endOfRun(text, end, BLANK), CONTINUES_AFTER_BLANK) || endOfMatch(PREFIX, text, from, LETTER) >= 0;
}

const FORMS_WITHOUT_QUOTES = EXPRESSION_FORMS.filter(({ value }) => value === 'wrapped');
/** No pattern matches more characters before a literal. Without a quote within this distance, there is no literal. */
const MAX_EXPRESSION_CHARS = 600;

function hasQuoteAfter(state: ScanState, from: number): boolean {
  return [DOUBLE_QUOTE, SINGLE_QUOTE, BACKTICK].some((quote) => state.next(quote, from) - from < MAX_EXPRESSION_CHARS);
}

/** Redacts the literal inside of the expression at `from`. @returns where reading continues, or -1 */
export function redactInExpression(state: ScanState, from: number, key: Key): number {
  const forms = hasQuoteAfter(state, from) ? EXPRESSION_FORMS : FORMS_WITHOUT_QUOTES;
  for (const { pattern, value } of forms) {
    const start = endOfMatch(pattern, state.text, from);
    const next = start < 0 ? -1 : EXPRESSION_READERS[value](state, start, key);
    if (next >= 0) return next;
  }
  return -1;
}

const wrapped: ValueReader = ({ text, redact }, from, key) => {
  const end = endOfRun(text, from, INSIDE_WRAPPER);
  if (isSecretLiteral(text, { start: from, end })) redactInside(text, from, end, key.kind, redact);
  return end;
};

/** Reads a string. A string that is not a secret also ends the expression. */
const literal: ValueReader = (state, from, key) => {
  const next = redactLiteral(state, from, key);
  return next < 0 ? (parseQuoted(state.text, from)?.next ?? -1) : next;
};

const INSIDE_WRAPPER = charSet('^\\s()[\\]{}"\'`\\\\');

const EXPRESSION_READERS: Readonly<Record<ExpressionForm['value'], ValueReader>> = { literal, wrapped };
