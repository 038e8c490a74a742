import { endOfMatch } from '../scanning/chars.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isSubstitution } from './code.js';
import { afterScheme } from './credentials.js';
import { isEncodedPair } from './encoded-pair.js';
import { TEMPLATE_DEFAULT } from './forms.js';
import type { Key } from './key.js';

/** Redacts the secret part of a whole value: all of it, or what follows the Authorization scheme. */
export function redactInside(text: Text, start: number, end: number, kind: Key['kind'], redact: RedactRange): void {
  if (kind === 'pair' && !isEncodedPair(text.string.slice(start, Math.min(end, start + MAX_PAIR_CHARS)))) return;
  const secret = secretStart(text, start, end, kind);
  if (!isSubstitution(text, secret, end)) redact(secret, end);
  else redactDefault(text, secret, end, redact);
}

const MAX_PAIR_CHARS = 2048;
/** The start of the secret part of a whole value; the end of the value if there is none. */
export function secretStart(text: Text, start: number, end: number, kind: Key['kind']): number {
  const credentials = kind === 'authorization' ? afterScheme(text, start) : -1;
  return credentials >= 0 ? Math.min(credentials, end) : start;
}

/** `${PASSWORD:-x}` is a variable and what is taken without it. */
function redactDefault(text: Text, start: number, end: number, redact: RedactRange): void {
  const from = endOfMatch(TEMPLATE_DEFAULT, text, start);
  if (from >= 0) redact(from, end - 1);
}
