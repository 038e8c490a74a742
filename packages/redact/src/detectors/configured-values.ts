import { PLACEHOLDER } from '../placeholder.js';
import type { SecretDetector } from '../scanning/scan.js';
import { stripControls } from '../scanning/strip-control-chars.js';
import { type Form, type Pattern, valueAutomaton } from '../values/multi-pattern-matcher.js';

/** Returns the ways in which a format can write a character. They do not depend on the characters around it. */
type Encoding = (char: string) => readonly string[];

const MIN_CHARS = 6;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/i;

const TRIGGER_CHARS = 3;

/** Letters and digits, which no encoder changes. */
const PLAIN = /^[A-Za-z\d]/;
const PARTS = /[A-Za-z\d]+|[^A-Za-z\d]/gu;

const raw: Encoding = (char) => (char === '\n' ? ['\n', '\r\n'] : [char]);

/** JSON text: a short escape, a `\u` escape, or the character itself if JSON allows it. */
const json: Encoding = (char) => {
  const short = JSON.stringify(char).slice(1, -1);
  const escaped = [...Array(char.length).keys()].map((at) => `\\u${hex(char.charCodeAt(at), 4)}`).join('');
  const slash = char === '/' ? ['\\/'] : [];
  const lineBreak = char === '\n' ? ['\\r\\n'] : [];
  return [...new Set([short, escaped, ...slash, ...lineBreak])];
};

/** JSON text inside JSON text. */
const nestedJson: Encoding = (char) => json(char).flatMap((form) => JSON.stringify(form).slice(1, -1));

/** URLs and forms. Encoders differ in the characters that they do not encode. */
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
 * Creates the detector that finds the values themselves, wherever they appear: raw, JSON-escaped (once or twice),
 * URL-encoded, XML-escaped. Values with fewer than six characters, booleans and numbers are not searched for.
 */
export function configuredValues(secrets: readonly string[]): SecretDetector {
  const values = new Set(secrets.flatMap((secret) => [normalise(secret), normalise(secret).trim()]));
  const patterns = [...values].filter(isWorthRedacting).flatMap(patternsOf);
  const redactValues = valueAutomaton(patterns);
  return {
    name: 'configured values',
    sparesNothing: true,
    triggers: [...new Set(patterns.flatMap(triggersOf))],
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

/** Returns a pattern for each encoding that writes the value differently. */
function patternsOf(value: string): Pattern[] {
  const parts = value.match(PARTS) ?? [];
  const encodings = ENCODINGS.map((encode) => parts.map((part) => (PLAIN.test(part) ? [part] : encode(part))));
  const distinctEncodings = new Map(encodings.map((forms) => [JSON.stringify(forms), forms]));
  return [...distinctEncodings.values()].map((forms) => forms.map((form) => form.map(formOf)));
}

function formOf(text: string): Form {
  return { text, isEscape: /^(?:%|\\+u)/.test(text) };
}

/** Returns the first characters of every way to write the pattern. */
function triggersOf(pattern: Pattern): string[] {
  let prefixes = [''];
  const triggers: string[] = [];
  for (const forms of pattern) {
    const longer = prefixes.flatMap((prefix) => forms.map((form) => prefix + form.text));
    triggers.push(
      ...longer.filter((prefix) => prefix.length >= TRIGGER_CHARS).map((prefix) => prefix.slice(0, TRIGGER_CHARS)),
    );
    prefixes = longer.filter((prefix) => prefix.length < TRIGGER_CHARS);
  }
  return triggers;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
