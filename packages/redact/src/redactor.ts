import { configuredValues } from './detectors/configured-values.js';
import { DETECTORS } from './detectors/index.js';
import { pemPrivateKeys } from './detectors/pem.js';
import {
  hasExemptMarks,
  isExempt,
  parseExempt,
  redactExempt,
  redactMarked,
  stripExemptMarks,
  stripMarkers,
} from './marks.js';
import { PLACEHOLDER } from './placeholder.js';
import { mayHoldKeyPart, redactKeyLines, redactKeysAcross } from './private-keys/key-values.js';
import { keysBy, type StringRules, valueRedactor } from './redact-value.js';
import { type Emit, LineRedactor, type RedactedLines } from './redacted-lines.js';
import type { OwnWords } from './scanning/own-words.js';
import { compile, type Scan, type SecretDetector } from './scanning/scan.js';
import { stripControls } from './scanning/strip-control-chars.js';
import { Text } from './scanning/text.js';
import { isEncodedPair } from './values/credentials.js';
import { secretStart } from './values/literals.js';
import { keyKind } from './values/secret-key.js';

export type { Emit, RedactedLines } from './redacted-lines.js';

/** Takes secrets out of everything that leaves the process (docs/spec/redaction.md#redaction). */
export interface Redactor {
  /** The text without ANSI sequences, control characters (TAB, LF, CR stay) and secrets. Linear in its length. */
  text(text: string): string;
  /** A copy of the JSON value with every string and key redacted; strings under secret keys are replaced whole. */
  value<T>(value: T): T;
  /**
   * For what arrives in pieces: the texts of one stream, which `emit` gets redacted and in their order, at once or after
   * 200 ms at most.
   */
  lines<T, F = unknown>(emit: Emit<T, F>): RedactedLines<T, F>;
}

export interface RedactorOptions {
  /** Values that are hidden wherever they stand, in raw, JSON-escaped and URL-encoded form. What is added to the list later counts too. */
  readonly secrets: readonly string[];
  /** Texts in which nothing but those values is hidden. */
  readonly ownWords?: OwnWords;
  /** Hides those values and what `secret()` marks, and nothing that only looks like a secret. */
  readonly valuesOnly?: boolean;
  /** The key of the marks of `notSecret()`, whose texts are exempt from all but those values and private keys. */
  readonly notSecretKey?: string;
}

export function createRedactor({ secrets, ownWords, valuesOnly = false, notSecretKey }: RedactorOptions): Redactor {
  let known = secrets.length;
  let scan: Scan | undefined;
  /** Of exempt texts; compiled when one is there. */
  let always: Scan | undefined;
  /** Whether a value that is being redacted holds what may be a part of a private key. */
  let hasKeyPart = false;
  const text = (input: string) => {
    if (secrets.length !== known) {
      known = secrets.length;
      scan = undefined;
      always = undefined;
    }
    scan ??= compile(familiesOf(secrets, valuesOnly), ownWords);
    const mayHoldPart = !valuesOnly && input.length >= MIN_KEY_PART_CHARS && mayHoldKeyPart(input);
    if (mayHoldPart) hasKeyPart = true;
    const redacted = scan.isClear(input) ? input : redactText(clean(input), scan);
    return mayHoldPart && mayHoldKeyPart(redacted) ? redactKeyLines(redacted) : redacted;
  };
  const redactText = (cleaned: string, scan: Scan): string => {
    if (!hasExemptMarks(cleaned)) return scan.redact(new Text(cleaned));
    const parsed = parseExempt(cleaned, notSecretKey);
    if (parsed.exempt.length === 0) return scan.redact(new Text(parsed.string));
    always ??= compile([configuredValues(secrets), ...(valuesOnly ? [] : [pemPrivateKeys])]);
    return redactExempt(parsed, scan, always);
  };
  const redactValue = valueRedactor(
    rulesOf({
      text,
      secret(input, kind) {
        const cleaned = clean(input);
        if (isExempt(cleaned, notSecretKey)) return text(cleaned);
        const redacted = stripExemptMarks(cleaned);
        if (kind === 'pair' && !isEncodedPair(redacted)) return text(redacted);
        const start = secretStart(new Text(redacted), 0, redacted.length, kind);
        return start < redacted.length ? text(redacted.slice(0, start)) + PLACEHOLDER : redacted;
      },
      kindOf: valuesOnly ? () => undefined : keyKind,
    }),
  );
  const value = <T>(input: T): T => {
    hasKeyPart = false;
    const redacted = redactValue(input);
    return hasKeyPart ? redactValue(redactKeysAcross(input)) : redacted;
  };
  return { text, value, lines: (emit) => new LineRedactor({ text, clean, value }, emit) };
}

interface Families {
  readonly count: number;
  readonly detectors: readonly SecretDetector[];
}

/** By the list of values: the redactors of a server are made of one, and what is compiled is the same. */
const madeFamilies = new WeakMap<readonly string[], Families>();

/** What a redactor looks for. The same array for the same values, so that it is compiled once. */
function familiesOf(secrets: readonly string[], valuesOnly: boolean): readonly SecretDetector[] {
  if (valuesOnly) return [configuredValues(secrets)];
  const made = madeFamilies.get(secrets);
  if (made?.count === secrets.length) return made.detectors;
  const detectors = [configuredValues(secrets), ...DETECTORS];
  madeFamilies.set(secrets, { count: secrets.length, detectors });
  return detectors;
}

/** A shorter text is not searched for a part of a private key. */
const MIN_KEY_PART_CHARS = 16;

/** For calls with `unsafeOutput`: takes out ANSI sequences and control characters, and hides nothing. */
export function createUnsafeRedactor(): Redactor {
  const value = valueRedactor(rulesOf({ text: stripAll, secret: stripAll, kindOf: () => undefined }));
  return {
    text: stripAll,
    value,
    lines: (emit) => ({
      add: (input, of, fields) => emit(stripAll(input), of, fields && value(fields)),
      end() {},
    }),
  };
}

const clean = (text: string) => stripControls(redactMarked(text));
const stripAll = (text: string) => stripExemptMarks(stripControls(stripMarkers(text)));

function rulesOf(input: Omit<StringRules, 'key'>): StringRules {
  return { ...input, key: keysBy(input) };
}
