import { stripControls } from './clean.js';
import { configuredValues } from './families/configured-values.js';
import { FAMILIES } from './families/index.js';
import { secretStart } from './families/key-value.js';
import { hideMarked, stripMarks } from './marked.js';
import { keysBy, type StringRules, valueRedactor } from './redact-value.js';
import { compile, PLACEHOLDER } from './scan.js';
import { keyKind } from './secret-key.js';
import { Text } from './text.js';

/** Takes secrets out of everything that leaves the process (contract.md §7). */
export interface Redactor {
  /** The text without ANSI sequences, control characters (TAB, LF, CR stay) and secrets. Linear in its length. */
  text(text: string): string;
  /** A copy of the JSON value with every string and key redacted; strings under secret keys are replaced whole. */
  value<T>(value: T): T;
}

/** @param secrets values that are hidden wherever they stand, in raw, JSON-escaped and URL-encoded form */
export function createRedactor({ secrets }: { readonly secrets: readonly string[] }): Redactor {
  const scan = compile([configuredValues(secrets), ...FAMILIES]);
  const text = (given: string) => (scan.isClear(given) ? given : scan.hide(new Text(clean(given))));
  return redactorOf({
    text,
    secret(given, kind) {
      const shown = clean(given);
      const start = secretStart(new Text(shown), 0, shown.length, kind);
      return start < shown.length ? text(shown.slice(0, start)) + PLACEHOLDER : shown;
    },
    kindOf: keyKind,
  });
}

/** For calls with `unsafeOutput`: takes out ANSI sequences and control characters, and hides nothing. */
export function createUnsafeRedactor(): Redactor {
  return redactorOf({ text: bare, secret: bare, kindOf: () => undefined });
}

const clean = (text: string) => stripControls(hideMarked(text));
const bare = (text: string) => stripControls(stripMarks(text));

function redactorOf(given: Omit<StringRules, 'key'>): Redactor {
  const rules: StringRules = { ...given, key: keysBy(given) };
  return { text: rules.text, value: valueRedactor(rules) };
}
