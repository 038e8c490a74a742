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
import { isJson } from './scanning/json-strings.js';
import type { OwnWords } from './scanning/own-words.js';
import { compile, type Scan, type SecretDetector } from './scanning/scan.js';
import { stripControls } from './scanning/strip-control-chars.js';
import { Text } from './scanning/text.js';
import { isEncodedPair } from './values/credentials.js';
import { secretStart } from './values/literals.js';
import { keyKind } from './values/secret-key.js';

export type { Emit, RedactedLines } from './redacted-lines.js';

/** Removes secrets from everything that leaves the process (docs/spec/redaction.md#redaction). */
export interface Redactor {
  /** Removes ANSI sequences, secrets, and control characters except for TAB, LF and CR. Linear in the text's length. */
  text(text: string): string;
  /**
   * Returns a copy of a JSON value in which every string and key is redacted. A string under a secret key is replaced.
   */
  value<T>(value: T): T;
  /**
   * Redacts a stream, whose secrets can arrive in pieces. `emit` receives the redacted texts in order, immediately or
   * after at most 200 ms.
   */
  lines<T, F = unknown>(emit: Emit<T, F>): RedactedLines<T, F>;
}

export interface RedactorOptions {
  /**
   * Values that are redacted everywhere: literally, JSON-escaped, URL-encoded and XML-escaped. Values that are added to
   * the list later are redacted from then on.
   */
  readonly secrets: readonly string[];
  /** Texts in which only `secrets` are redacted. */
  readonly ownWords?: OwnWords;
  /**
   * If true, only `secrets` and texts marked by `secret()` are redacted, and nothing that merely looks like a secret.
   */
  readonly valuesOnly?: boolean;
  /** The key in the marks of `notSecret()`. In marked texts, only `secrets` and private keys are redacted. */
  readonly notSecretKey?: string;
}

/** Creates a redactor. It watches the length of `secrets`, which must only grow. */
export function createRedactor({ secrets, ownWords, valuesOnly = false, notSecretKey }: RedactorOptions): Redactor {
  let secretCount = secrets.length;
  let scan: Scan | undefined;
  /** The scan for exempt texts, compiled when the first one occurs. */
  let exemptScan: Scan | undefined;
  /** True if the value that is being redacted contains text that may be part of a private key. */
  let hasKeyPart = false;
  const text = (input: string) => {
    if (secrets.length !== secretCount) {
      secretCount = secrets.length;
      scan = undefined;
      exemptScan = undefined;
    }
    scan ??= compile(detectorsFor(secrets, valuesOnly), ownWords);
    const mayHoldPart = !valuesOnly && input.length >= MIN_KEY_PART_CHARS && mayHoldKeyPart(input);
    if (mayHoldPart) hasKeyPart = true;
    const redacted = scan.isClear(input) ? input : redactText(clean(input), scan);
    return mayHoldPart && mayHoldKeyPart(redacted) ? withoutKeyLines(redacted) : redacted;
  };
  const withoutKeyLines = (redacted: string): string => {
    const withoutKeys = redactKeyLines(redacted);
    const isBroken = withoutKeys !== redacted && isJson(redacted) && !isJson(withoutKeys);
    // In a JSON document that would become invalid, private keys are redacted string by string.
    return isBroken ? JSON.stringify(redactKeysAcross(JSON.parse(redacted))) : withoutKeys;
  };
  const redactText = (cleaned: string, scan: Scan): string => {
    if (!hasExemptMarks(cleaned)) return scan.redact(new Text(cleaned));
    const parsed = parseExempt(cleaned, notSecretKey);
    if (parsed.exempt.length === 0) return scan.redact(new Text(parsed.string));
    exemptScan ??= compile([configuredValues(secrets), ...(valuesOnly ? [] : [pemPrivateKeys])]);
    return redactExempt(parsed, scan, exemptScan);
  };
  const redactValue = valueRedactor(
    rulesOf({
      text,
      secret(input, kind) {
        const cleaned = clean(input);
        if (isExempt(cleaned, notSecretKey)) return text(cleaned);
        const stripped = stripExemptMarks(cleaned);
        if (kind === 'pair' && !isEncodedPair(stripped)) return text(stripped);
        const start = secretStart(new Text(stripped), 0, stripped.length, kind);
        return start < stripped.length ? text(stripped.slice(0, start)) + PLACEHOLDER : stripped;
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

interface CachedDetectors {
  /** The number of secrets for which the detectors were created. */
  readonly secretCount: number;
  readonly detectors: readonly SecretDetector[];
}

/** The detectors by list of secrets. All redactors of a server have the same list, and so share their compiled scan. */
const detectorCache = new WeakMap<readonly string[], CachedDetectors>();

/** Returns the detectors of a redactor: the same array for the same secrets, so that it is compiled once. */
function detectorsFor(secrets: readonly string[], valuesOnly: boolean): readonly SecretDetector[] {
  if (valuesOnly) return [configuredValues(secrets)];
  const cached = detectorCache.get(secrets);
  if (cached?.secretCount === secrets.length) return cached.detectors;
  const detectors = [configuredValues(secrets), ...DETECTORS];
  detectorCache.set(secrets, { secretCount: secrets.length, detectors });
  return detectors;
}

/** Shorter texts are not searched for a part of a private key. */
const MIN_KEY_PART_CHARS = 16;

/**
 * Creates the redactor for calls with `unsafeOutput`: it removes ANSI sequences and control characters, but no secrets.
 */
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
