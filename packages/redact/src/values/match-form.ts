import { PLACEHOLDER } from '../placeholder.js';
import {
  BYTES,
  charSet,
  codeAt,
  DIGIT,
  endOfMatch,
  endOfRun,
  isIn,
  LETTER,
  lineEnd,
  matchAt,
} from '../scanning/chars.js';
import { isPlaceholder } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isExpression } from './code.js';
import { redactColumn } from './columns.js';
import { FORM_WORD, type FormValue, KEY_FORMS, type KeyForm, STARTS_FORM_WORD } from './forms.js';
import type { Key } from './key.js';
import { isSecretLiteral, redactInside, redactLiteral, type ValueReader } from './literals.js';
import { isCompared } from './non-secret-strings.js';
import { parseQuoted } from './quoted.js';
import { redactValueAt } from './redact-value-at.js';
import type { ScanState } from './scan-state.js';
import { endAtSpace } from './unquoted.js';

const MAX_KEY_CHARS = 100;
const TAB = 0x09;
const TILDE = 0x7e;
const SPACES = charSet(' ');
const CLOSES = charSet('"\'`)\\]*_~');

/** The rows of the table. `before` becomes a lookbehind, which matches backwards from the start of the key. */
const FORMS: readonly KeyForm[] = KEY_FORMS.map((form) => {
  const { before } = form;
  return before ? { ...form, before: new RegExp(`(?<=${before.source})`, `${before.flags}y`) } : form;
});

/**
 * The rows by the first character after the key and its closing quotes and brackets. The first table is for characters
 * without blanks before them, the second one for characters after blanks.
 */
const FORMS_BY_CODE = (['none', 'some'] as const).map((blanks) =>
  Array.from({ length: BYTES }, (_, code) => {
    const char = String.fromCharCode(code);
    const mayStart = (form: KeyForm) =>
      (form.blanks ?? blanks) === blanks && new RegExp(`[${form.startsWith}]`).test(char);
    const forms = FORMS.filter(mayStart);
    return forms.length > 0 ? forms : undefined;
  }),
);

/** A fast check: false if certainly no value follows the key in one of the forms. */
export function mayHaveForm(text: Text, keyEnd: number): boolean {
  return formsAt(text, keyEnd) !== undefined;
}

function formsAt(text: Text, keyEnd: number): readonly KeyForm[] | undefined {
  const closed = endOfRun(text, keyEnd, CLOSES);
  if (codeAt(text, closed) === TAB) return FORMS_BY_CODE[0]![TAB];
  const next = endOfRun(text, closed, SPACES);
  if (isIn(text, next, LETTER) && endOfMatch(FORM_WORD, text, next, STARTS_FORM_WORD) < 0) return undefined;
  const forms = FORMS_BY_CODE[next > closed ? 1 : 0]![codeAt(text, next)];
  if (closed === keyEnd || codeAt(text, closed - 1) !== TILDE) return forms;
  // The tilde can be the first character of an operator such as `~=` instead of the end of an emphasis.
  return [...(forms ?? []), ...(FORMS_BY_CODE[0]![TILDE] ?? [])];
}

/** Redacts the value that follows the key in one of the forms of the table. @returns where reading continues, or -1 */
export function redactByForm(state: ScanState, key: Key): number {
  const { text } = state;
  const forms = formsAt(text, key.end);
  if (!forms) return -1;
  for (const form of forms) {
    const from = endOfMatch(form.between, text, key.end);
    if (from < 0 || !isAround(form, text, key)) continue;
    if (isPlaceholder(text, from)) return from + PLACEHOLDER.length;
    const next = form.value === 'earlier' ? redactEarlier(form, state, key) : READERS[form.value](state, from, key);
    if (next >= 0) return next;
  }
  return -1;
}

function redactEarlier({ before }: KeyForm, { text, redact }: ScanState, key: Key): number {
  const [from, to] = (before && matchAt(before, text, key.start)?.indices?.[1]) ?? [0, 0];
  if (isSecretLiteral(text, { start: from, end: to })) redact(from, to);
  return key.end;
}

function isAround({ before, key: pattern }: KeyForm, text: Text, key: Key): boolean {
  if (pattern && !pattern.test(text.string.slice(Math.max(key.start, key.end - MAX_KEY_CHARS), key.end))) return false;
  return !before || endOfMatch(before, text, key.start) >= 0;
}

const any: ValueReader = (state, from, key) => {
  const next = redactValueAt(state, from, { key, separator: ':', isKeyQuoted: false });
  return next > from ? next : -1;
};

const compared: ValueReader = (state, from, key) => {
  const quoted = parseQuoted(state.text, from);
  if (!quoted || isCompared(state.text, quoted, key)) return -1;
  return redactLiteral(state, from, key);
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

/** The text of an element, up to a tag, the end of the line, or the end of a string around it. */
const CONTENT = /(?:[^<"\\\r\n]|"(?![\s,}\]]|$)|\\(?!["nrt])){1,1000}/y;

const MAX_COUNT_DIGITS = 3;

const content: ValueReader = ({ text, redact }, from, key) => {
  const end = endOfMatch(CONTENT, text, from);
  if (end < 0) return -1;
  const stop = from + text.string.slice(from, end).trimEnd().length;
  if (
    !isSecretLiteral(text, { start: from, end: stop }) ||
    (stop - from <= MAX_COUNT_DIGITS && endOfRun(text, from, DIGIT) === stop && text.string.startsWith('</', end))
  )
    return -1;
  redactInside(text, from, stop, key.kind, redact);
  return end;
};

const line: ValueReader = ({ text, redact }, from, key) => {
  const end = lineEnd(text, from);
  if (isSecretLiteral(text, { start: from, end })) redactInside(text, from, end, key.kind, redact);
  return end;
};

const READERS: Readonly<Record<Exclude<FormValue, 'earlier'>, ValueReader>> = {
  any,
  literal: redactLiteral,
  compared,
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
