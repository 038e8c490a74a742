import { configuredValues } from './detectors/configured-values.js';
import { DETECTORS } from './detectors/index.js';
import { hideMarked, stripMarks } from './explicit-secrets.js';
import type { KeyLines } from './private-keys/key-lines.js';
import { hideKeyLines, mayHoldKeyPart } from './private-keys/key-text.js';
import { hideKeysAcross } from './private-keys/key-values.js';
import { keysBy, type StringRules, valueRedactor } from './redact-value.js';
import { LineRedactor, type RedactedLines } from './redacted-lines.js';
import type { OwnWords } from './scanning/own-words.js';
import { compile, PLACEHOLDER } from './scanning/scan.js';
import { stripControls } from './scanning/strip-control-chars.js';
import { Text } from './scanning/text.js';
import { isEncodedPair, secretStart } from './values/hide-value.js';
import { keyKind } from './values/secret-key.js';

export type { RedactedLines } from './redacted-lines.js';

/** Takes secrets out of everything that leaves the process (docs/spec/contract.md#redaction). */
export interface Redactor {
  /** The text without ANSI sequences, control characters (TAB, LF, CR stay) and secrets. Linear in its length. */
  text(text: string): string;
  /** A copy of the JSON value with every string and key redacted; strings under secret keys are replaced whole. */
  value<T>(value: T): T;
  /**
   * For what arrives in pieces: the texts of one stream, which `emit` gets redacted and in their order, at once or after
   * 200 ms at most.
   */
  lines<T>(emit: (text: string, of: T) => void): RedactedLines<T>;
}

export interface RedactorOptions {
  /** Values that are hidden wherever they stand, in raw, JSON-escaped and URL-encoded form. */
  readonly secrets: readonly string[];
  /** Texts in which nothing but those values is hidden. */
  readonly ownWords?: OwnWords;
}

export function createRedactor({ secrets, ownWords }: RedactorOptions): Redactor {
  const scan = compile([configuredValues(secrets), ...DETECTORS], ownWords);
  /** Whether a value that is being redacted holds what may be a part of a private key. */
  let hasKeyPart = false;
  const text = (given: string) => {
    const mayHoldPart = given.length >= MIN_KEY_PART_CHARS && mayHoldKeyPart(given);
    if (mayHoldPart) hasKeyPart = true;
    const shown = scan.isClear(given) ? given : scan.hide(new Text(clean(given)));
    return mayHoldPart && mayHoldKeyPart(shown) ? hideKeyLines(shown) : shown;
  };
  const redactValue = valueRedactor(
    rulesOf({
      text,
      secret(given, kind) {
        const shown = clean(given);
        if (kind === 'pair' && !isEncodedPair(shown)) return text(shown);
        const start = secretStart(new Text(shown), 0, shown.length, kind);
        return start < shown.length ? text(shown.slice(0, start)) + PLACEHOLDER : shown;
      },
      kindOf: keyKind,
    }),
  );
  const value = <T>(given: T, reader?: KeyLines): T => {
    hasKeyPart = false;
    const redacted = redactValue(given);
    return hasKeyPart || reader?.isOpen ? redactValue(hideKeysAcross(given, reader)) : redacted;
  };
  return {
    text,
    value: (given) => value(given),
    lines: (emit) => new LineRedactor({ text, clean, value }, emit),
  };
}

/** Of what begins or ends a private key. */
const MIN_KEY_PART_CHARS = 16;

/** For calls with `unsafeOutput`: takes out ANSI sequences and control characters, and hides nothing. */
export function createUnsafeRedactor(): Redactor {
  const value = valueRedactor(rulesOf({ text: bare, secret: bare, kindOf: () => undefined }));
  return {
    text: bare,
    value,
    lines: (emit) => ({ add: (given, of) => emit(bare(given), of), value, end() {} }),
  };
}

const clean = (text: string) => stripControls(hideMarked(text));
const bare = (text: string) => stripControls(stripMarks(text));

function rulesOf(given: Omit<StringRules, 'key'>): StringRules {
  return { ...given, key: keysBy(given) };
}
