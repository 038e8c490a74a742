import { PLACEHOLDER } from './placeholder.js';
import { MAX_PASSES, type Scan } from './scanning/scan.js';
import { replace, type Spans, united } from './scanning/spans.js';
import { Text } from './scanning/text.js';

const SECRET_START = '\uFDD0';
const SECRET_END = '\uFDD1';
/**
 * A text that `secret()` of the plugin contract has marked. If one of the two marks was cut off, the marked part
 * reaches to the start or the end of the text.
 */
const MARKED_TEXT = /(?:\uFDD0|^[^\uFDD0\uFDD1]*(?=\uFDD1))[^\uFDD1]*(?:\uFDD1|$)/g;
const MARKERS = /[\uFDD0\uFDD1]/g;

/** Replaces each part that a plugin has marked as secret by `[REDACTED]`. Linear. */
export function redactMarked(text: string): string {
  return text.includes(SECRET_START) || text.includes(SECRET_END) ? text.replace(MARKED_TEXT, PLACEHOLDER) : text;
}

/** Removes the marks of `secret()` and keeps the marked text. */
export function stripMarkers(text: string): string {
  return text.replace(MARKERS, '');
}

/** `notSecret()` of the plugin API writes EXEMPT_START, the key of the process, the text, and EXEMPT_END. */
const EXEMPT_START = '\uFDD2';
const EXEMPT_END = '\uFDD3';
const STRAY_MARKS = /[\uFDD2\uFDD3\uFDE0-\uFDEF]/g;
const HAS_MARK = /[\uFDD2\uFDD3\uFDE0-\uFDEF]/;

export interface ExemptText {
  /** The text without marks. */
  readonly string: string;
  /** The spans of the marked parts in `string`, sorted. */
  readonly exempt: Spans;
}

/** True if the text has marks of `notSecret()`, valid or not. */
export const hasExemptMarks = (text: string): boolean => HAS_MARK.test(text);

/** Removes all marks of `notSecret()` and keeps the marked text. */
export const stripExemptMarks = (text: string): string => text.replace(STRAY_MARKS, '');

/**
 * Reads the marks with this key. Marks with another key or without an end are removed and ignored, so that text from
 * outside of the plugin cannot exempt itself. Linear.
 */
export function parseExempt(text: string, key: string | undefined): ExemptText {
  if (key === undefined) return { string: stripExemptMarks(text), exempt: [] };
  const exempt: number[] = [];
  let string = '';
  let copiedTo = 0;
  for (const match of text.matchAll(
    new RegExp(`${EXEMPT_START}${key}([^${EXEMPT_START}${EXEMPT_END}]*)${EXEMPT_END}`, 'g'),
  )) {
    string += stripExemptMarks(text.slice(copiedTo, match.index));
    const start = string.length;
    string += stripExemptMarks(match[1]!);
    if (string.length > start) exempt.push(start, string.length);
    copiedTo = match.index + match[0].length;
  }
  return { string: string + stripExemptMarks(text.slice(copiedTo)), exempt };
}

/** True if the whole text is marked, except for white space around it. */
export function isExempt(text: string, key: string | undefined): boolean {
  if (!hasExemptMarks(text)) return false;
  const { string, exempt } = parseExempt(text, key);
  return exempt.length === 2 && string.slice(0, exempt[0]).trim() === '' && string.slice(exempt[1]).trim() === '';
}

/**
 * Redacts a text with exempt parts (docs/spec/redaction.md#not-secret-marks).
 * @param all finds the secrets that are redacted outside of the exempt parts
 * @param always finds the secrets that are redacted everywhere
 */
export function redactExempt({ string, exempt }: ExemptText, all: Scan, always: Scan): string {
  let text = new Text(string);
  for (let pass = 1, ranges = exempt; pass <= MAX_PASSES; pass++) {
    const spans = united(without(text.string, all.find(text), ranges), always.find(text));
    const redacted = replace(text.string, spans, PLACEHOLDER);
    if (redacted === text.string) break;
    ranges = shifted(ranges, spans);
    text = new Text(redacted);
  }
  return text.string;
}

/**
 * Cuts the ranges out of the spans. Both are sorted. A part of a span that touches a range is dropped if it has neither
 * letters nor digits.
 */
function without(string: string, spans: Spans, ranges: Spans): Spans {
  const outside: number[] = [];
  const addPart = (start: number, end: number) => {
    if (WORD_CHAR.test(string.slice(start, end))) outside.push(start, end);
  };
  let range = 0;
  for (let index = 0; index < spans.length; index += 2) {
    const end = spans[index + 1]!;
    let start = spans[index]!;
    while (range < ranges.length && ranges[range + 1]! <= start) range += 2;
    for (let at = range; at < ranges.length && ranges[at]! < end; at += 2) {
      if (start < ranges[at]!) addPart(start, ranges[at]!);
      start = Math.min(end, Math.max(start, ranges[at + 1]!));
    }
    if (start === spans[index]) outside.push(start, end);
    else if (start < end) addPart(start, end);
  }
  return outside;
}

const WORD_CHAR = /[\p{L}\p{N}]/u;

/** Returns the positions of the ranges after each span has been replaced by a placeholder. */
function shifted(ranges: Spans, spans: Spans): Spans {
  let index = 0;
  let shift = 0;
  return ranges.map((at) => {
    for (; index < spans.length && spans[index + 1]! <= at; index += 2)
      shift += PLACEHOLDER.length - (spans[index + 1]! - spans[index]!);
    const isInside = index < spans.length && spans[index]! < at;
    return isInside ? spans[index]! + shift + PLACEHOLDER.length : at + shift;
  });
}
