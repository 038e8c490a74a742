import {
  AMPERSAND,
  BACKSLASH,
  BACKTICK,
  BYTES,
  CR,
  charSet,
  DOUBLE_QUOTE,
  isBefore,
  isIn,
  LF,
  PERCENT,
  SPACE,
} from './chars.js';
import { NOT_FOUND } from './memoized-scan.js';
import type { Spans } from './spans.js';
import { BEYOND_ASCII, CHARS_BEYOND_END, Text } from './text.js';

/**
 * A text inside of a text: JSON in a string of JSON, a form in a URL, XML as text. Lines with escapes are read again
 * with one level of escapes removed, so that the detectors only need to know each syntax in its unescaped form. One
 * step
 *
 * - decodes all kinds of escapes: `\"` and `\u0022`, `%22`, `&quot;`;
 * - joins a line that ends in a continuation (`\` or a backtick) with the next line;
 * - replaces spaces and separators beyond ASCII by their ASCII form;
 * - in a line with escaped quotes, escaped line breaks or an escaped backslash before a quote, replaces each unescaped
 *   double quote by a line break, because it is the boundary of a string that nothing must be read across.
 *
 * Lines without escapes are not part of the layer.
 */
export interface Layer {
  readonly text: Text;
  /**
   * Pairs of numbers for each run of characters that is the same in the text below, except that its last character may
   * be an escape there: the start of the run in the layer and in the text below. The last run is empty.
   */
  readonly runs: Int32Array;
  /** The positions in `text` before which lines without escapes were omitted. */
  readonly gaps: readonly number[];
}

/** The number of levels of escapes that are read. */
export const MAX_LAYERS = 3;

/** The ASCII texts with which an escape can begin. */
const SIGNS = ['\\', '%', '&', '`\n'];

const SEMICOLON = 0x3b;

/**
 * Characters that are copied without a closer look: not the start of an escape, a line break, a double quote, or NUL.
 */
const IS_PLAIN = charSet('^\\\\%&`\\n"');
const BLANK = charSet(' \\t');
const SHORT_ESCAPES: Readonly<Record<string, number>> = {
  '"': 0x22,
  "'": 0x27,
  '/': 0x2f,
  '\\': 0x5c,
  n: LF,
  r: CR,
  t: 9,
};
const ENTITIES: Readonly<Record<string, number>> = {
  amp: 0x26,
  apos: 0x27,
  colon: 0x3a,
  equals: 0x3d,
  gt: 0x3e,
  lt: 0x3c,
  nbsp: SPACE,
  quot: 0x22,
  sol: 0x2f,
};
const MAX_ENTITY_CHARS = 8;
const HEX_VALUES = Int8Array.from({ length: BYTES }, (_, code) => hexValue(String.fromCharCode(code)));
const SHORT_VALUES = Uint8Array.from({ length: BYTES }, (_, code) => SHORT_ESCAPES[String.fromCharCode(code)] ?? 0);

/** Spaces and zero-width characters beyond ASCII, and the full-width colon and equals sign of East Asian fonts. */
const SPECIAL_CHARS =
  '\u00a0\u00ad\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d' +
  '\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\uff1a\uff1d';
const SPECIAL = new RegExp(`[${SPECIAL_CHARS}]`, 'g');
const SPECIAL_CODES = new Set([...SPECIAL_CHARS].map((char) => char.charCodeAt(0)));
const ZERO_WIDTH = new Set([0x00ad, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]);
const SEPARATORS = new Map([
  [0xff1a, 0x3a],
  [0xff1d, 0x3d],
]);

/** Returns the layer above a text, or undefined if the text has no escapes. Linear. */
export function layerAbove(text: Text): Layer | undefined {
  const escapes = new NextEscape(text);
  let at = escapes.from(0);
  if (at === NOT_FOUND) return undefined;
  const reader = new LayerReader(text);
  for (; at < NOT_FOUND; at = escapes.from(reader.readTo)) reader.readLine(at);
  return reader.end();
}

/** Converts sorted spans of a layer to spans of the text below. A span is divided at each gap of the layer. */
export function spansBelow(spans: Spans, { runs, gaps }: Layer): Spans {
  const below: number[] = [];
  let gap = 0;
  let run = 0;
  /** Returns the position in the text below. Positions must ascend. */
  const positionOf = (at: number): number => {
    while (run + 2 < runs.length && runs[run + 2]! <= at) run += 2;
    return runs[run + 1]! + at - runs[run]!;
  };
  for (let index = 0; index < spans.length; index += 2) {
    let start = spans[index]!;
    const end = spans[index + 1]!;
    while (gap < gaps.length && gaps[gap]! <= start) gap++;
    for (; gap < gaps.length && gaps[gap]! < end; gap++) {
      below.push(positionOf(start), positionOf(gaps[gap]! - 1));
      start = gaps[gap]!;
    }
    below.push(positionOf(start), positionOf(end));
  }
  return below;
}

/** Finds the next escape. Positions must ascend; text without escapes is read only once, at the speed of `indexOf`. */
class NextEscape {
  readonly #next: number[] = SIGNS.map(() => -1);
  #nextSpecial: number;

  constructor(private readonly text: Text) {
    this.#nextSpecial = text.isAscii ? NOT_FOUND : -1;
  }

  from(from: number): number {
    if (this.#nextSpecial < from) this.#nextSpecial = this.#findSpecial(from);
    let first = this.#nextSpecial;
    for (let index = 0; index < SIGNS.length; index++) {
      if (this.#next[index]! < from) this.#next[index] = this.#findEscape(SIGNS[index]!, from);
      first = Math.min(first, this.#next[index]!);
    }
    return first;
  }

  #findEscape(sign: string, from: number): number {
    let at = this.text.string.indexOf(sign, from);
    while (at >= 0 && escapeAt(this.text, at) === 0) at = this.text.string.indexOf(sign, at + 1);
    return at < 0 ? NOT_FOUND : at;
  }

  #findSpecial(from: number): number {
    SPECIAL.lastIndex = from;
    return SPECIAL.exec(this.text.string)?.index ?? NOT_FOUND;
  }
}

/** The character that the last escape stands for; -1 if the escape stands for no character. */
let decoded = 0;

/** Returns the length of the escape that begins at `at`, or 0. Stores the character that it stands for in `decoded`. */
function escapeAt(text: Text, at: number): number {
  const code = text.codes[at]!;
  if (code === BACKSLASH) return backslashEscape(text, at);
  if (code === PERCENT) return printable(hexAt(text, at + 1, 2)) ? 3 : 0;
  if (code === AMPERSAND) return entity(text, at);
  // A backtick continues a line of PowerShell only after white space. Otherwise it may close a string or inline code.
  if (code === BACKTICK)
    return text.codes[at + 1] === LF && isBefore(text, at, BLANK) ? continuation(text, at + 1) - at : 0;
  return code === BEYOND_ASCII ? specialCode(text.string.charCodeAt(at)) : 0;
}

function backslashEscape(text: Text, at: number): number {
  const next = text.codes[at + 1]!;
  decoded = SHORT_VALUES[next]!;
  if (decoded > 0) return 2;
  if (next === 0x75 || next === 0x55) return printable(hexAt(text, at + 2, 4)) ? 6 : 0;
  if (next === 0x78) return printable(hexAt(text, at + 2, 2)) ? 4 : 0;
  return next === LF || (next === CR && text.codes[at + 2] === LF) ? continuation(text, at + 1) - at : 0;
}

/** Returns the position after a line break and the next line's indentation, at which a continued line goes on. */
function continuation(text: Text, at: number): number {
  decoded = -1;
  let end = at + (text.codes[at] === CR ? 2 : 1);
  while (isIn(text, end, BLANK)) end++;
  return end;
}

function entity(text: Text, at: number): number {
  const limit = Math.min(text.length, at + 2 + MAX_ENTITY_CHARS);
  let end = at + 1;
  while (end < limit && text.codes[end] !== SEMICOLON) end++;
  if (text.codes[end] !== SEMICOLON) return 0;
  const name = text.string.slice(at + 1, end);
  const code = name.startsWith('#') ? numeric(name) : (ENTITIES[name] ?? 0);
  return printable(code) ? end + 1 - at : 0;
}

function numeric(name: string): number {
  const code = /^#[xX][\da-fA-F]+$/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return Number.isInteger(code) ? code : 0;
}

/**
 * True if an escape can stand for this code, because it is a character of a text. Stores the character in `decoded`.
 */
function printable(code: number): boolean {
  if (code >= BEYOND_ASCII) return specialCode(code) > 0;
  if (code < 0) return false;
  decoded = code;
  return code >= SPACE ? code < 0x7f : code === 9 || code === LF || code === CR;
}

/** Treats one of SPECIAL_CHARS as an escape of length 1. Returns 0 for other characters. */
function specialCode(code: number): number {
  if (!SPECIAL_CODES.has(code)) return 0;
  decoded = ZERO_WIDTH.has(code) ? -1 : (SEPARATORS.get(code) ?? SPACE);
  return 1;
}

function hexAt(text: Text, from: number, digits: number): number {
  let code = 0;
  for (let at = from; at < from + digits; at++) {
    const value = HEX_VALUES[text.codes[at]!]!;
    if (value < 0) return -1;
    code = code * 16 + value;
  }
  return code;
}

function hexValue(char: string): number {
  return /[\da-fA-F]/.test(char) ? Number.parseInt(char, 16) : -1;
}

const MIN_RUNS = 1024;

class LayerReader {
  readonly #text: Text;
  readonly #chars: Buffer;
  #runs = new Int32Array(MIN_RUNS);
  #runsLength = 0;
  readonly #gaps: number[] = [];
  #length = 0;
  /** The end of the last line that was read. */
  readTo = 0;

  constructor(text: Text) {
    this.#text = text;
    // No character of the text becomes more than one character of the layer.
    this.#chars = Buffer.allocUnsafeSlow(text.length + 1 + CHARS_BEYOND_END);
  }

  /** Reads the line that contains the position `within`, and the lines that continue it. */
  readLine(within: number): void {
    const text = this.#text;
    const { string, codes, length: end } = text;
    const start = Math.max(this.readTo, string.lastIndexOf('\n', within - 1) + 1);
    if (start > this.readTo && this.#length > 0) this.#gaps.push(this.#length);
    let escapesString = false;
    const quotes: number[] = [];
    let at = start;
    const chars = this.#chars;
    let length = this.#length;
    let runsLength = this.#runsLength;
    let runs = this.#withRoom(runsLength);
    runs[runsLength++] = length;
    runs[runsLength++] = at;
    for (;;) {
      while (IS_PLAIN[codes[at]!] === 1) chars[length++] = codes[at++]!;
      if (at >= end) break;
      const code = codes[at]!;
      const escapeLength = code === DOUBLE_QUOTE ? 0 : escapeAt(text, at);
      if (escapeLength === 0) {
        if (code === DOUBLE_QUOTE) quotes.push(length);
        chars[length++] = code;
        at++;
        if (code === LF) break;
        continue;
      }
      const char = decoded;
      at += escapeLength;
      if (char >= 0) chars[length++] = char;
      if (char === BACKSLASH) escapesString ||= codes[at] === DOUBLE_QUOTE;
      else if (char === DOUBLE_QUOTE || char === LF || char === CR) escapesString = true;
      if (runsLength + 4 > runs.length) runs = this.#withRoom(runsLength);
      runs[runsLength++] = length;
      runs[runsLength++] = at;
    }
    this.#length = length;
    this.#runsLength = runsLength;
    if (escapesString) this.#splitAt(quotes);
    this.readTo = at;
  }

  /** Returns the runs with room for two more. */
  #withRoom(length: number): Int32Array {
    if (length + 4 > this.#runs.length) {
      const runs = new Int32Array(this.#runs.length * 2);
      runs.set(this.#runs);
      this.#runs = runs;
    }
    return this.#runs;
  }

  /** Replaces quotes by line breaks. After a backslash it uses CR, because a backslash and LF would continue the line. */
  #splitAt(quotes: readonly number[]): void {
    for (const at of quotes) this.#chars[at] = this.#chars[at - 1] === BACKSLASH ? CR : LF;
  }

  end(): Layer {
    this.#runs[this.#runsLength++] = this.#length;
    this.#runs[this.#runsLength++] = this.readTo;
    this.#chars.fill(0, this.#length, this.#length + CHARS_BEYOND_END);
    const text = new Text(this.#chars.toString('latin1', 0, this.#length), this.#chars);
    return { text, runs: this.#runs.subarray(0, this.#runsLength), gaps: this.#gaps };
  }
}
