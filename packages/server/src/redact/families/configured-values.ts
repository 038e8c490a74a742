import { stripControls } from '../clean.js';
import type { Family } from '../scan.js';

/** The ways to write one character of a value; which of them does not depend on the characters around it. */
type Encoding = (char: string) => readonly string[];

const MIN_CHARS = 6;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/i;

/** What a trigger needs at least, and what is more than it needs. */
const TRIGGER_CHARS = 3;
const MAX_TRIGGER_CHARS = 16;

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

/** One way to write a part of a value. */
interface Form {
  readonly text: string;
  /** In small letters, for escapes, whose hexadecimal digits may have either case. */
  readonly escape?: string;
}

/** The forms of each part of a value; of the forms of one part none begins with another. */
type Pattern = readonly (readonly Form[])[];

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
  const patterns = patternsOf(value);
  return {
    name: 'configured value',
    triggers: [...new Set(patterns.flatMap(beginnings))],
    find(text, at, hide) {
      for (const pattern of patterns) hide(at, patternEnd(text, at, pattern));
      return 0;
    },
  };
}

/** One for each encoding that writes the value differently. */
function patternsOf(value: string): Pattern[] {
  const parts = value.match(PARTS) ?? [];
  const written = ENCODINGS.map((encode) => parts.map((part) => (PLAIN.test(part) ? [part] : encode(part))));
  const different = new Map(written.map((forms) => [JSON.stringify(forms), forms]));
  return [...different.values()].map((forms) => forms.map((each) => each.map(formOf)));
}

function formOf(text: string): Form {
  return /^(?:%|\\+u)/.test(text) ? { text, escape: text.toLowerCase() } : { text };
}

/** What any writing of the pattern begins with. */
function beginnings(pattern: Pattern): string[] {
  let open = [''];
  const done = new Set<string>();
  for (const forms of pattern) {
    const longer = open.flatMap((start) => forms.map((form) => start + form.text));
    for (const start of longer) if (start.length >= TRIGGER_CHARS) done.add(start.slice(0, MAX_TRIGGER_CHARS));
    open = longer.filter((start) => start.length < TRIGGER_CHARS);
  }
  return [...done];
}

/** Where the writing of the pattern that starts at `from` ends, or -1. */
function patternEnd(text: string, from: number, pattern: Pattern): number {
  let at = from;
  for (const forms of pattern) {
    const form = forms.find((each) => standsAt(text, at, each));
    if (!form) return -1;
    at += form.text.length;
  }
  return at;
}

function standsAt(text: string, at: number, form: Form): boolean {
  if (text.startsWith(form.text, at)) return true;
  return form.escape !== undefined && text.slice(at, at + form.escape.length).toLowerCase() === form.escape;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
