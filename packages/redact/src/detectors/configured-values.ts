import { PLACEHOLDER } from '../placeholder.js';
import type { SecretDetector } from '../scanning/scan.js';
import { stripControls } from '../scanning/strip-control-chars.js';
import { type Form, type Pattern, valueAutomaton } from '../values/multi-pattern-matcher.js';

/** The ways to write one character of a value; which of them does not depend on the characters around it. */
type Encoding = (char: string) => readonly string[];

const MIN_CHARS = 6;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/i;

const TRIGGER_CHARS = 3;

/** No encoder changes letters and digits. */
const PLAIN = /^[A-Za-z\d]/;
const PARTS = /[A-Za-z\d]+|[^A-Za-z\d]/gu;

const raw: Encoding = (char) => (char === '\n' ? ['\n', '\r\n'] : [char]);

/** As JSON text has it: short escapes, `\u` escapes, and, where JSON allows it, the character itself. */
const json: Encoding = (char) => {
  const short = JSON.stringify(char).slice(1, -1);
  const escaped = [...Array(char.length).keys()].map((at) => `\\u${hex(char.charCodeAt(at), 4)}`).join('');
  const slash = char === '/' ? ['\\/'] : [];
  const lineBreak = char === '\n' ? ['\\r\\n'] : [];
  return [...new Set([short, escaped, ...slash, ...lineBreak])];
};

/** JSON text inside JSON text. */
const nestedJson: Encoding = (char) => json(char).flatMap((form) => JSON.stringify(form).slice(1, -1));

/** As URLs and forms have it; encoders differ in which characters they leave alone. */
const url: Encoding = (char) => {
  const bytes = [...new TextEncoder().encode(char)].map((byte) => `%${hex(byte, 2)}`).join('');
  if (char === ' ') return ['%20', '+'];
  if (char === '\n') return ['%0A', '%0D%0A'];
  return char === '%' ? [bytes] : [char, bytes];
};

const XML_ENTITIES: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;', '>'],
  '"': ['&quot;', '"'],
  "'": ['&apos;', '&#39;', '&#x27;', "'"],
};
const xml: Encoding = (char) => XML_ENTITIES[char] ?? raw(char);

const ENCODINGS: readonly Encoding[] = [raw, json, nestedJson, url, xml];

/**
 * The detector that finds the values themselves, wherever they appear: raw, JSON-escaped (once or twice), URL-encoded, XML-escaped.
 * Values with fewer than six characters, booleans and numbers do not count.
 */
export function configuredValues(secrets: readonly string[]): SecretDetector {
  const values = new Set(secrets.flatMap((secret) => [normalise(secret), normalise(secret).trim()]));
  const patterns = [...values].filter(isWorthRedacting).flatMap(patternsOf);
  const redactValues = valueAutomaton(patterns);
  return {
    name: 'configured values',
    sparesNothing: true,
    triggers: [...new Set(patterns.flatMap(beginnings))],
    read: (text, redact) => (at) => redactValues(text, at, redact),
  };
}

function isWorthRedacting(value: string): boolean {
  return (
    value.trim().length >= MIN_CHARS && !NUMBER.test(value) && !BOOLEAN.test(value) && !PLACEHOLDER.includes(value)
  );
}

function normalise(secret: string): string {
  return stripControls(secret).replaceAll('\r\n', '\n');
}

/** One for each encoding that writes the value differently. */
function patternsOf(value: string): Pattern[] {
  const parts = value.match(PARTS) ?? [];
  const encodings = ENCODINGS.map((encode) => parts.map((part) => (PLAIN.test(part) ? [part] : encode(part))));
  const different = new Map(encodings.map((forms) => [JSON.stringify(forms), forms]));
  return [...different.values()].map((forms) => forms.map((form) => form.map(formOf)));
}

function formOf(text: string): Form {
  return { text, isEscape: /^(?:%|\\+u)/.test(text) };
}

/** What any writing of the pattern begins with. */
function beginnings(pattern: Pattern): string[] {
  let open = [''];
  const done: string[] = [];
  for (const forms of pattern) {
    const longer = open.flatMap((start) => forms.map((form) => start + form.text));
    done.push(...longer.filter((start) => start.length >= TRIGGER_CHARS).map((start) => start.slice(0, TRIGGER_CHARS)));
    open = longer.filter((start) => start.length < TRIGGER_CHARS);
  }
  return done;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
