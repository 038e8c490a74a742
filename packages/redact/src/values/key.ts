import { COLON, codeAt, EQUALS, GREATER_THAN, PERCENT, SLASH, startsWithAt } from '../scanning/chars.js';
import type { Text } from '../scanning/text.js';
import type { KeyKind } from './secret-key.js';

/** The other meanings of a word that names a secret. */
export interface WordTraits {
  /** True for `pass` and `pwd`, which can also be a result of tests and the working directory. */
  readonly isWeak: boolean;
  /** True for `token` and `key`, which programs often compare with words. */
  readonly isCompared: boolean;
  /** True if the word also occurs before a sentence: `First pass: find …`, `Credentials: see …`. */
  readonly occursInProse: boolean;
}

/** A key in the text, from `start` to the end of its last word. */
export interface Key {
  readonly kind: Exclude<KeyKind, undefined>;
  readonly start: number;
  readonly end: number;
  /** True for `secrets` and `passwords`: only unambiguous values are redacted. */
  readonly isPlural: boolean;
  readonly traits: WordTraits;
}

/**
 * The separator of key and value: `:`, `=`, the `===` of JavaScript, another one such as `=>`, or the space after an
 * option.
 */
export type Separator = ':' | '=' | '===' | 'other' | 'space';

/** The text before a value. */
export interface ValueContext {
  readonly key: Key;
  readonly separator: Separator;
  readonly isKeyQuoted: boolean;
}

const MAX_EQUALS = 3;
const ESCAPED_EQUALS = '%3d';
const ESCAPED_COLON = '%3a';

/**
 * Returns the end of `=`, `==`, `===`, `=>`, `:`, `:=`, `%3D` or `%3A` at `at`; -1 for other text, and for `::` and
 * `://`.
 */
export function separatorEnd(text: Text, at: number): number {
  const code = codeAt(text, at);
  if (code === EQUALS) return afterEquals(text, at + 1);
  if (code === COLON) return afterColon(text, at + 1);
  const isEscape =
    code === PERCENT && (startsWithAt(text, at, ESCAPED_EQUALS) || startsWithAt(text, at, ESCAPED_COLON));
  return isEscape ? at + ESCAPED_EQUALS.length : -1;
}

function afterEquals(text: Text, from: number): number {
  if (codeAt(text, from) === GREATER_THAN) return from + 1;
  let end = from;
  while (end - from < MAX_EQUALS - 1 && codeAt(text, end) === EQUALS) end++;
  return end;
}

function afterColon(text: Text, from: number): number {
  const next = codeAt(text, from);
  if (next === EQUALS) return from + 1;
  return next === COLON || (next === SLASH && codeAt(text, from + 1) === SLASH) ? -1 : from;
}

/** Returns the kind of the separator from `start` to `end`. */
export function separatorIn(text: Text, start: number, end: number): Separator {
  const code = codeAt(text, start);
  if (code === PERCENT) return startsWithAt(text, start, ESCAPED_EQUALS) ? '=' : ':';
  if (end - start === MAX_EQUALS) return code === EQUALS ? '===' : 'other';
  if (end - start > 1) return 'other';
  return code === EQUALS ? '=' : ':';
}
