import { PLACEHOLDER } from './placeholder.js';
import { MAX_PASSES, type Scan } from './scanning/scan.js';
import { replace, type Spans, united } from './scanning/spans.js';
import { Text } from './scanning/text.js';

const SECRET_START = '\uFDD0';
const SECRET_END = '\uFDD1';
/** What `secret()` of the plugin contract marked; a beginning or an end that was cut off is the text's own. */
const MARKED_TEXT = /(?:\uFDD0|^[^\uFDD0\uFDD1]*(?=\uFDD1))[^\uFDD1]*(?:\uFDD1|$)/g;
const MARKERS = /[\uFDD0\uFDD1]/g;

/** The text with `[REDACTED]` in the place of what plugins marked as secret. Linear. */
export function redactMarked(text: string): string {
  return text.includes(SECRET_START) || text.includes(SECRET_END) ? text.replace(MARKED_TEXT, PLACEHOLDER) : text;
}

/** The text without the marks. */
export function stripMarkers(text: string): string {
  return text.replace(MARKERS, '');
}

/** What `notSecret()` of the plugin API writes around a text: a start, the key of the process, the text, an end. */
const EXEMPT_START = '\uFDD2';
const EXEMPT_END = '\uFDD3';
const STRAY_MARKS = /[\uFDD2\uFDD3\uFDE0-\uFDEF]/g;
const HAS_MARK = /[\uFDD2\uFDD3\uFDE0-\uFDEF]/;

/** A text without marks, and where the marked parts are in it, in order. */
export interface ExemptText {
  readonly string: string;
  readonly exempt: Spans;
}

/** Whether the text has marks, valid or not. */
export const hasExemptMarks = (text: string): boolean => HAS_MARK.test(text);

/** The text without any of the marks. */
export const stripExemptMarks = (text: string): string => text.replace(STRAY_MARKS, '');

/**
 * Reads the marks that have the key. Marks with another key, or without an end, are removed and mean nothing, so that text from elsewhere cannot
 * exempt itself. Linear.
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

/** Whether the text is marked as a whole, white space around it apart. */
export function isExempt(text: string, key: string | undefined): boolean {
  if (!hasExemptMarks(text)) return false;
  const { string, exempt } = parseExempt(text, key);
  return exempt.length === 2 && string.slice(0, exempt[0]).trim() === '' && string.slice(exempt[1]).trim() === '';
}

/**
 * Redacts a text with exempt parts: `all` finds what is replaced outside of them, and `always` what is replaced everywhere
 * (docs/spec/redaction.md#not-secret-marks).
 */
export function redactExempt({ string, exempt }: ExemptText, all: Scan, always: Scan): string {
  let text = new Text(string);
  for (let pass = 1, ranges = exempt; pass <= MAX_PASSES; pass++) {
    const spans = united(without(text.string, all.find(text), ranges), always.find(text));
    const redacted = replace(text.string, spans, PLACEHOLDER);
    if (redacted === text.string) break;
    ranges = moved(ranges, spans);
    text = new Text(redacted);
  }
  return text.string;
}

/** The parts of the spans that are outside of the ranges, both in order; of those next to a range, the ones that are not only punctuation. */
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

/** Where the ranges are after each of the spans has become a placeholder. */
function moved(ranges: Spans, spans: Spans): Spans {
  let index = 0;
  let shift = 0;
  return ranges.map((at) => {
    for (; index < spans.length && spans[index + 1]! <= at; index += 2)
      shift += PLACEHOLDER.length - (spans[index + 1]! - spans[index]!);
    const isInside = index < spans.length && spans[index]! < at;
    return isInside ? spans[index]! + shift + PLACEHOLDER.length : at + shift;
  });
}
