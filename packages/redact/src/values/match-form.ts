import { BYTES, charSet, codeAt, DIGIT, endOfMatch, endOfRun, isIn, lineEnd } from '../scanning/chars.js';
import type { Text } from '../scanning/text.js';
import { isExpression } from './code.js';
import { redactColumn } from './columns.js';
import { type FormValue, KEY_FORMS, type KeyForm } from './forms.js';
import { isSecretLiteral, redactLiteral, type ValueReader } from './literals.js';
import { parseQuoted } from './quoted.js';
import { type Key, redactInside } from './redact-inside.js';
import { redactValueAt } from './redact-value-at.js';
import type { ScanState } from './scan-state.js';
import { endAtSpace } from './unquoted.js';

const MAX_BEFORE_CHARS = 200;
const MAX_KEY_CHARS = 100;
const TAB = 0x09;
const SPACES = charSet(' ');

/** The rows of the table by the first character after the key, blanks apart. */
const FORMS_BY_CODE: readonly (readonly KeyForm[] | undefined)[] = Array.from({ length: BYTES }, (_, code) => {
  const char = String.fromCharCode(code);
  const forms = KEY_FORMS.filter(({ startsWith }) => new RegExp(`[${startsWith}]`).test(char));
  return forms.length > 0 ? forms : undefined;
});

/** Whether a value may follow the key in one of the forms. */
export function mayHaveForm(text: Text, keyEnd: number): boolean {
  return formsAt(text, keyEnd) !== undefined;
}

function formsAt(text: Text, keyEnd: number): readonly KeyForm[] | undefined {
  const next = codeAt(text, keyEnd) === TAB ? keyEnd : endOfRun(text, keyEnd, SPACES);
  return FORMS_BY_CODE[codeAt(text, next)];
}

/** Redacts the value that follows the key in one of the forms of the table. @returns where reading continues, or -1 */
export function redactByForm(state: ScanState, key: Key): number {
  const { text } = state;
  const forms = formsAt(text, key.end);
  if (!forms) return -1;
  for (const form of forms) {
    const from = endOfMatch(form.between, text, key.end);
    if (from < 0 || !isAround(form, text, key)) continue;
    const next = READERS[form.value](state, from, key);
    if (next >= 0) return next;
  }
  return -1;
}

function isAround({ before, key: pattern }: KeyForm, text: Text, key: Key): boolean {
  if (pattern && !pattern.test(text.string.slice(Math.max(key.start, key.end - MAX_KEY_CHARS), key.end))) return false;
  return !before || before.test(text.string.slice(Math.max(0, key.start - MAX_BEFORE_CHARS), key.start));
}

const any: ValueReader = (state, from, key) => {
  const next = redactValueAt(state, from, { key, separator: '=', isKeyQuoted: false });
  return next > from ? next : -1;
};

const word: ValueReader = ({ text, redact }, from, key) => {
  const quoted = parseQuoted(text, from);
  const start = quoted?.start ?? from;
  const end = quoted?.end ?? endAtSpace(text, from);
  if (!hasDigit(text, start, end) || (quoted ? !isSecretLiteral(text, quoted) : isExpression(text, from))) return -1;
  redactInside(text, start, end, key.kind, redact);
  return quoted?.next ?? end;
};

const CELL = /[`*"]{0,3}([^\s|│`*"<>()]{1,200})[`*"]{0,3}[ \t]{0,60}(?=[|│])/y;

const cell: ValueReader = ({ text, redact }, from, key) => {
  CELL.lastIndex = from;
  const [match, value] = CELL.exec(text.string) ?? [];
  if (match === undefined || value === undefined) return -1;
  const start = from + match.indexOf(value);
  if (!hasDigit(text, start, start + value.length) || isExpression(text, start)) return -1;
  redactInside(text, start, start + value.length, key.kind, redact);
  return from + match.length;
};

const CONTENT = /[^<\r\n]{1,1000}/y;

const content: ValueReader = ({ text, redact }, from, key) => {
  const end = endOfMatch(CONTENT, text, from);
  if (end < 0) return -1;
  const stop = from + text.string.slice(from, end).trimEnd().length;
  if (!isSecretLiteral(text, { start: from, end: stop })) return -1;
  redactInside(text, from, stop, key.kind, redact);
  return end;
};

const line: ValueReader = ({ text, redact }, from, key) => {
  const end = lineEnd(text, from);
  redactInside(text, from, end, key.kind, redact);
  return end;
};

const READERS: Readonly<Record<FormValue, ValueReader>> = {
  any,
  literal: redactLiteral,
  word,
  cell,
  content,
  line,
  column: redactColumn,
};
function hasDigit(text: Text, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isIn(text, at, DIGIT)) return true;
  return false;
}
