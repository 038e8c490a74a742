import { stripControls } from '../clean.js';
import type { Family } from '../scan.js';

/** The ways to write one character of a value; which of them does not depend on the characters around it. */
type Encoding = (char: string) => readonly string[];

const MIN_CHARS = 6;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/i;

/** Every trigger has this many characters. */
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

/** The forms of each part of a value; of the forms of one part none begins with another. */
type Pattern = readonly (readonly string[])[];

/**
 * Families that find the values themselves, wherever they stand: raw, JSON-escaped (twice too), URL-encoded, as XML.
 * Of values with fewer than six characters, booleans and numbers there are none.
 */
export function configuredValues(secrets: readonly string[]): Family[] {
  const values = new Set(secrets.flatMap((secret) => [normalise(secret), normalise(secret).trim()]));
  return [...values].filter(isWorthHiding).map(familyOf);
}

function isWorthHiding(value: string): boolean {
  return (
    value.trim().length >= MIN_CHARS && !NUMBER.test(value) && !BOOLEAN.test(value) && !'[REDACTED]'.includes(value)
  );
}

function normalise(secret: string): string {
  return stripControls(secret).replaceAll('\r\n', '\n');
}

function familyOf(value: string): Family {
  const parts = value.match(PARTS) ?? [];
  const patterns = ENCODINGS.map((encode): Pattern => parts.map((part) => (PLAIN.test(part) ? [part] : encode(part))));
  return {
    name: 'configured value',
    triggers: [...new Set(patterns.flatMap((pattern) => beginnings(pattern)))],
    find(text, at, hide) {
      hide(at, Math.max(at, ...patterns.map((pattern) => patternEnd(text, at, pattern))));
      return 0;
    },
  };
}

/** What any form of the pattern begins with. */
function beginnings(pattern: Pattern): string[] {
  let open = [''];
  const done = new Set<string>();
  for (const forms of pattern) {
    const longer = open.flatMap((start) => forms.map((form) => start + form));
    for (const start of longer) if (start.length >= TRIGGER_CHARS) done.add(start.slice(0, TRIGGER_CHARS));
    open = longer.filter((start) => start.length < TRIGGER_CHARS);
  }
  return [...done];
}

function patternEnd(text: string, from: number, pattern: Pattern): number {
  let at = from;
  for (const forms of pattern) {
    const form = forms.find((each) => standsAt(text, at, each));
    if (form === undefined) return -1;
    at += form.length;
  }
  return at;
}

/** Hexadecimal digits of escapes may have either case. */
function standsAt(text: string, at: number, form: string): boolean {
  if (text.startsWith(form, at)) return true;
  return /^(?:%|\\+u)/.test(form) && text.slice(at, at + form.length).toLowerCase() === form.toLowerCase();
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
