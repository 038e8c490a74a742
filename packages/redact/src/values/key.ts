import type { KeyKind } from './secret-key.js';

/** What else a word means that names a secret. */
export interface WordTraits {
  /** `pass`, `pwd`: the count of tests, the working directory. */
  readonly isWeak: boolean;
  /** `token`, `key`: programs compare them with words. */
  readonly isCompared: boolean;
  /** `First pass: find …`, `Credentials: see …`: sentences continue after it. */
  readonly occursInProse: boolean;
}

/** A key as it is in the text: its words from `start` up to `end`, where the last one ends. */
export interface Key {
  readonly kind: Exclude<KeyKind, undefined>;
  readonly start: number;
  readonly end: number;
  /** True for `secrets` and `passwords`: only unambiguous values are redacted. */
  readonly isPlural: boolean;
  readonly traits: WordTraits;
}
