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

/** The same where the text need not be known later. @param onTimeSpent hears how many milliseconds each slice took */
export function parseInSlices(text: string, onTimeSpent?: (ms: number) => void): Promise<unknown> {
  return runInSlices(parseSteps(text), onTimeSpent);
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

/** `JSON.stringify`, which takes the text of large parts as it is known, with whatever whitespace it has. */
export function stringifyLarge(value: unknown): string {
  return largeJsonParts(value).join('');
}

/** The text of {@link stringifyLarge} in parts that follow one another, so that no one need make one text of them. */
export function largeJsonParts(value: unknown): readonly string[] {
  const source = sourceOf(value);
  return source ? [source.text] : partsAround(value);
}

function partsAround(value: unknown): string[] {
  const texts: string[] = [];
  const json = JSON.stringify(value, (_key, part: unknown) => {
    const source = sourceOf(part);
    if (source === undefined) return part;
    texts.push(source.text);
    return PLACEHOLDER;
  });
  if (texts.length === 0) return [json];
  return json.split(`"${PLACEHOLDER}"`).flatMap((part, at) => (at === 0 ? [part] : [texts[at - 1]!, part]));
}

function sourceOf(value: unknown): JsonSource | undefined {
  return typeof value === 'object' && value !== null ? sources.get(value) : undefined;
}
