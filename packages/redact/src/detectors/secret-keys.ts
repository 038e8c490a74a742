import { PLACEHOLDER } from '../placeholder.js';
import {
  ALPHANUMERIC,
  BLANK,
  COLON,
  charSet,
  codeAt,
  codeBefore,
  DASH,
  DIGIT,
  EQUALS,
  endOfMatch,
  endOfRun,
  isBefore,
  isIn,
  LETTER,
  SPACE,
  startOfRun,
} from '../scanning/chars.js';
import { afterEscape } from '../scanning/escapes.js';
import { isPlaceholder, type SecretDetector } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { redactValueOf } from '../values/declarations.js';
import type { Key, WordTraits } from '../values/key.js';
import { mayHaveForm } from '../values/match-form.js';
import { afterType } from '../values/non-secret-values.js';
import { ScanState } from '../values/scan-state.js';
import { decidesAlone, type KeyKind, keyKind, keyKindIn } from '../values/secret-key.js';

/** A method that compares the key with a value: `password.Equals("x")`. */
const COMPARISON = /\.(?:equals|Equals|eq|compareTo|CompareTo)\(/y;
/** The characters of keys with spaces (`API key: x`, `Public key token: x`). */
const PHRASE_CHARS = charSet('A-Za-z0-9_. -');
const MAX_PHRASE_CHARS = 32;

const KEY_CHARS = charSet('A-Za-z0-9_.-');
const WORD_CHARS = charSet('A-Za-z_');
const JOINS_WORDS = charSet('.-');
const JOINS_NUMBER = charSet('_-');
const MAX_NUMBER_DIGITS = 4;
const S = charSet('sS');
const CLOSES_KEY = charSet('"\'`\\]\\\\&<?{},');
const BEFORE_VALUE = charSet('=:%\\r\\n');
const QUOTE_OR_BRACE = charSet('"\'{');
const STARTS_TYPE = charSet('A-Za-z');
const BEFORE_TAG = charSet('<:');
const AFTER_OPTION = charSet(' \\t"\'\\\\,');

const WORDS =
  'password passwd pwd passphrase passcode pass secret token key key_base keybase credential cookie authorization auth psk ident'.split(
    ' ',
  );
/** For each word, true if its plural is found too. The whole key then decides: `tokens` alone is a count. */
const HAS_PLURAL = WORDS.map((word) => /^(?:password|passphrase|secret|credential|key|token)$/.test(word));
const TRAITS: readonly WordTraits[] = WORDS.map((word) => ({
  isWeak: /^(?:pwd|pass)$/.test(word),
  isCompared: /^(?:token|key)$/.test(word),
  occursInProse: /^(?:pass|token|key|credential|cookie|auth)$/.test(word),
}));
/** The kind of each word if it is the whole key. */
const KINDS_OF_WORDS: readonly KeyKind[] = WORDS.map(keyKind);
/** For each word, true if the text before it cannot change its kind. */
const DECIDES_ALONE: readonly boolean[] = WORDS.map(decidesAlone);
/** For each word, true if words before it, separated by spaces, can change its kind (`API key`, `Public key token`). */
const IS_PHRASE_WORD: readonly boolean[] = WORDS.map((word) => word === 'key' || word === 'token');

/** Values of keys whose last words name a secret. */
export const secretKeys: SecretDetector = {
  name: 'secret keys',
  triggers: WORDS,
  read(text, redact) {
    const state = new ScanState(text, redact);
    return (at, trigger, index) => {
      const wordEnd = at + trigger.length;
      // The trigger is part of a longer word, such as `keyboard`. This is the most frequent case.
      if (isIn(text, wordEnd, LETTER) && !(HAS_PLURAL[index]! && isIn(text, wordEnd, S))) return 0;
      const next = afterPlaceholder(text, wordEnd);
      if (next > 0) return next;
      const key = keyThatEndsIn(state, at, trigger, index);
      return key ? Math.max(0, redactValueOf(state, key)) : 0;
    };
  },
};

/** Returns the end of a value that is already a placeholder, or 0 for other values. */
function afterPlaceholder(text: Text, from: number): number {
  if (!isOperator(codeAt(text, from))) return 0;
  const value = codeAt(text, from + 1) === SPACE ? from + 2 : from + 1;
  return isPlaceholder(text, value) ? value + PLACEHOLDER.length : 0;
}

function isOperator(code: number): boolean {
  return code === EQUALS || code === COLON;
}

function keyThatEndsIn(state: ScanState, at: number, trigger: string, index: number): Key | undefined {
  const { text } = state;
  const end = endOfKey(text, at + trigger.length, HAS_PLURAL[index]!);
  if (end < 0) return undefined;
  const start = afterEscape(text, state.keyStart(at), at);
  if (!mayHaveValue(text, end) && !mayBeTagOrOption(text, start, end)) return undefined;
  const kind = kindOf(text, start, end, at, trigger.length, index);
  const isPlural = end > at + trigger.length && isIn(text, at + trigger.length, S) && trigger !== 'credential';
  return kind && { kind, start, end, isPlural, traits: TRAITS[index]! };
}

function kindOf(text: Text, start: number, end: number, wordStart: number, wordLength: number, index: number): KeyKind {
  const isWordLast = end === wordStart + wordLength;
  if (isWordLast && DECIDES_ALONE[index]!) return KINDS_OF_WORDS[index];
  if (start < wordStart) return keyKindIn(text, start, end);
  const isAfterWord = codeBefore(text, start) === SPACE && IS_PHRASE_WORD[index]!;
  if (isAfterWord) return keyKindIn(text, startOfRun(text, start, PHRASE_CHARS, MAX_PHRASE_CHARS), end);
  return isWordLast ? KINDS_OF_WORDS[index] : keyKindIn(text, start, end);
}

function mayHaveValue(text: Text, keyEnd: number): boolean {
  if (isOperator(codeAt(text, keyEnd))) return true;
  if (isIn(text, keyEnd, CLOSES_KEY)) return true;
  const next = endOfRun(text, keyEnd, BLANK);
  if (isIn(text, next, BEFORE_VALUE) || next >= text.length || mayHaveForm(text, keyEnd)) return true;
  return next > keyEnd && mayBeTyped(text, keyEnd, next);
}

/** True if a type or a string may follow: `token string = `, `Token { get; } = `, `PASSWORD 'x'`. */
function mayBeTyped(text: Text, keyEnd: number, next: number): boolean {
  return isIn(text, next, QUOTE_OR_BRACE) || (isIn(text, next, STARTS_TYPE) && afterType(text, keyEnd) >= 0);
}

function mayBeTagOrOption(text: Text, keyStart: number, keyEnd: number): boolean {
  return isBefore(text, keyStart, BEFORE_TAG) || (codeAt(text, keyStart) === DASH && isIn(text, keyEnd, AFTER_OPTION));
}

/** Returns the end of the key's last word and its number, or -1 if the key continues. */
function endOfKey(text: Text, wordEnd: number, hasPlural: boolean): number {
  const pluralEnd = hasPlural && isIn(text, wordEnd, S) ? wordEnd + 1 : wordEnd;
  if (!isIn(text, pluralEnd, KEY_CHARS)) return pluralEnd;
  const end = afterNumber(text, pluralEnd);
  return keyContinues(text, end) ? -1 : end;
}

/** Skips a number of up to four digits: `password1`, `PASSWORD_2`. */
function afterNumber(text: Text, at: number): number {
  const from = isIn(text, at, JOINS_NUMBER) ? at + 1 : at;
  const end = Math.min(endOfRun(text, from, DIGIT), from + MAX_NUMBER_DIGITS);
  return end === from ? at : end;
}

/** True if the word is not the key's last: `passwordless`, `token.type`. */
function keyContinues(text: Text, at: number): boolean {
  if (isIn(text, at, WORD_CHARS)) return true;
  return isIn(text, at, JOINS_WORDS) && isIn(text, at + 1, ALPHANUMERIC) && endOfMatch(COMPARISON, text, at) < 0;
}
