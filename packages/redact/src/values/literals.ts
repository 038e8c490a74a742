import { endOfMatch } from '../scanning/chars.js';
import { isPlaceholder, type RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isFilledIn, isSubstitution } from './code.js';
import { afterScheme, isEncodedPair } from './credentials.js';
import { TEMPLATE_DEFAULT } from './forms.js';
import type { Key } from './key.js';
import { isNameIn } from './names.js';
import { isNotSecretWord, isSentence, isStandIn } from './non-secret-values.js';
import { parseQuoted, type Quoted } from './quoted.js';
import type { ScanState } from './scan-state.js';
import { keyKindIn } from './secret-key.js';

/** Redacts a value, which is complete from `start` to `end`. The scheme of an Authorization header stays. */
export function redactInside(text: Text, start: number, end: number, kind: Key['kind'], redact: RedactRange): void {
  if (kind === 'pair' && !isEncodedPair(text.string.slice(start, Math.min(end, start + MAX_PAIR_CHARS)))) return;
  const secret = secretStart(text, start, end, kind);
  if (isSubstitution(text, secret, end)) redactDefault(text, secret, end, redact);
  else if (secret === start || !isFilledIn(text, secret, end)) redact(secret, end);
}

const MAX_PAIR_CHARS = 2048;
/** Returns the start of the secret part of a complete value; the end of the value if it has no secret part. */
export function secretStart(text: Text, start: number, end: number, kind: Key['kind']): number {
  const credentials = kind === 'authorization' ? afterScheme(text, start) : -1;
  return credentials >= 0 ? Math.min(credentials, end) : start;
}

/** Redacts the default in a variable: `${PASSWORD:-x}`. */
function redactDefault(text: Text, start: number, end: number, redact: RedactRange): void {
  const from = endOfMatch(TEMPLATE_DEFAULT, text, start);
  if (from >= 0) redact(from, end - 1);
}

/**
 * Redacts the value that begins at `from`. @returns where reading continues, or -1 if the value is not of the expected
 * kind
 */
export type ValueReader = (state: ScanState, from: number, key: Key) => number;

/** Redacts a string in quotes, unless it only names or describes a secret. */
export const redactLiteral: ValueReader = ({ text, redact }, from, key) => {
  const quoted = parseQuoted(text, from);
  if (!quoted) return -1;
  if (isPlaceholder(text, quoted.start)) return quoted.next;
  if (!isSecretLiteral(text, quoted) || isNameIn(text, quoted.start, quoted.end, key)) return -1;
  redactInside(text, quoted.start, quoted.end, key.kind, redact);
  return quoted.next;
};

const MAX_LITERAL_CHARS = 2000;
/** The attribute of a cookie: `cookie += '; Path=/'`. */
const COOKIE_ATTRIBUTE = /^; ?[A-Z][A-Za-z-]+(?:=|$)/;
/** A parameter of a header that a program fills in: `authorization += ', opaque="%s"'`. */
const EMPTY_PARAMETER = /^, [a-z]+="%s"$/;
/** The end of a question to a person: `Password("Enter it: ")`. */
const PROMPT = /[:?…][ \t]*$/;
/** A text that can be the name of a secret, a field or a message: `token`, `user.password`, `Confirm password`. */
const NAME = /^[A-Za-z][A-Za-z_. -]*$/;

/** True if a string may be a secret: it is not a placeholder, a sentence, a prompt, or the name of a secret. */
export function isSecretLiteral(text: Text, { start, end }: Pick<Quoted, 'start' | 'end'>): boolean {
  if (end <= start || isStandIn(text, start, end) || isSentence(text, start)) return false;
  const value = text.string.slice(start, Math.min(end, start + MAX_LITERAL_CHARS));
  if (isNotSecretWord(text, start, end)) return false;
  if (COOKIE_ATTRIBUTE.test(value) || EMPTY_PARAMETER.test(value)) return false;
  return !PROMPT.test(value) && !(NAME.test(value) && keyKindIn(text, start, end) !== undefined);
}
