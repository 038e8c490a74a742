import { randomUUID } from 'node:crypto';
import { type JsonSource, parseSteps } from './parse-steps.js';
import { runInSlices } from './slices.js';

/** Shorter texts are parsed at once, in a few milliseconds. In characters. */
const LARGE_CHARS = 256 * 1024;

const sources = new WeakMap<object, JsonSource>();

/** Whether a text is better parsed by {@link parseLargeJson}. */
export function isLargeJson(text: string): boolean {
  return text.length > LARGE_CHARS;
}

/**
 * `JSON.parse` in slices, between which others are served. The text of what is large in the value stays known, for
 * {@link jsonSourceOf} and {@link stringifyLarge}: who changes such a part takes another one. Rejects with SyntaxError, and
 * with RangeError for a text that is nested too deeply.
 */
export function parseLargeJson(text: string): Promise<unknown> {
  return runInSlices(parseSteps(text, (value, source) => sources.set(value, source)));
}

/** The text that a large object or array was parsed from. */
export function jsonSourceOf(value: object): JsonSource | undefined {
  return sources.get(value);
}

/** Makes the text known of a copy that differs from `original`, if that is large: it is written once. */
export function keepJsonSource(copy: object, original: object): void {
  const source = sources.get(original);
  if (source) sources.set(copy, { text: stringifyLarge(copy), values: source.values });
}

/** In place of what the text is known of. */
const PLACEHOLDER = randomUUID();
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** `JSON.stringify`, which takes the text of large parts as it is known: one line, in which other whitespace is kept. */
export function stringifyLarge(value: unknown): string {
  const source = sourceOf(value);
  return oneLine(source ? source.text : writeAround(value));
}

function writeAround(value: unknown): string {
  const texts: string[] = [];
  const json = JSON.stringify(value, (_key, part: unknown) => {
    const source = sourceOf(part);
    if (source === undefined) return part;
    texts.push(source.text);
    return PLACEHOLDER;
  });
  if (texts.length === 0) return json;
  return json.split(`"${PLACEHOLDER}"`).reduce((before, after, at) => `${before}${texts[at - 1]}${after}`);
}

/** Outside of strings, where JSON has none, a line break is a space. In bytes, because to replace many in a text takes long. */
function oneLine(json: string): string {
  if (!json.includes('\n') && !json.includes('\r')) return json;
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) bytes[at] = SPACE;
  }
  return bytes.toString();
}

function sourceOf(value: unknown): JsonSource | undefined {
  return typeof value === 'object' && value !== null ? sources.get(value) : undefined;
}
