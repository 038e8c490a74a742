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
 * Texts inside texts: JSON in a string of JSON, a form in a URL, XML as text. What is escaped in a line is read as a text of its own,
 * one level of escapes less, so that the scanners need to know each syntax only as it is. Escapes of all kinds are undone in one step:
 * `\"` and `\u0022`, `%22`, `&quot;`; a line that is continued (`\` or a backtick at its end) is joined with the next; spaces and
 * separators beyond ASCII become their ASCII form. Where a line escapes quotes or line breaks, or a backslash before a quote, an
 * unescaped double quote bounds a string: nothing is read across it. Only lines with escapes are part of a layer.
 */
export interface Layer {
  readonly text: Text;
  /** The position of each character, and of the end, in the text below. */
  readonly starts: Int32Array;
  /** Characters before which lines without escapes were omitted. */
  readonly gaps: readonly number[];
}

/** More levels of escapes than these are not read. */
export const MAX_LAYERS = 3;

/** What escapes begin with, in ASCII. */
const SIGNS = ['\\', '%', '&', '`\n'];

const SEMICOLON = 0x3b;

/** What is copied without a closer look: no escape, no line break or double quote, and not the text's end. */
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

/** Spaces and zero-width characters beyond ASCII, and separators as East Asian fonts have them. */
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

/** The layer above a text, or undefined where nothing in it is escaped. Linear. */
export function layerAbove(text: Text): Layer | undefined {
  const escapes = new NextEscape(text);
  let at = escapes.from(0);
  if (at === NOT_FOUND) return undefined;
  const reader = new LayerReader(text);
  for (; at < NOT_FOUND; at = escapes.from(reader.readTo)) reader.readLine(at);
  return reader.end();
}

/** Spans of a layer, as they are in the text below: in order, apart, and divided at its gaps. */
export function spansBelow(spans: Spans, { starts, gaps }: Layer): Spans {
  const below: number[] = [];
  let gap = 0;
  for (let index = 0; index < spans.length; index += 2) {
    let start = spans[index]!;
    const end = spans[index + 1]!;
    while (gap < gaps.length && gaps[gap]! <= start) gap++;
    for (; gap < gaps.length && gaps[gap]! < end; gap++) {
      below.push(starts[start]!, starts[gaps[gap]! - 1]!);
      start = gaps[gap]!;
    }
    below.push(starts[start]!, starts[end]!);
  }
  return below;
}

/** Finds the next escape. Positions must be ascending; text without escapes is read once, at the speed of `indexOf`. */
class NextEscape {
  readonly #next: number[] = SIGNS.map(() => -1);
  #specialCode: number;

  constructor(private readonly text: Text) {
    this.#specialCode = text.isAscii ? NOT_FOUND : -1;
  }

  from(from: number): number {
    if (this.#specialCode < from) this.#specialCode = this.#nextSpecial(from);
    let first = this.#specialCode;
    for (let index = 0; index < SIGNS.length; index++) {
      if (this.#next[index]! < from) this.#next[index] = this.#nextOf(SIGNS[index]!, from);
      first = Math.min(first, this.#next[index]!);
    }
    return first;
  }

  #nextOf(char: string, from: number): number {
    let at = this.text.string.indexOf(char, from);
    while (at >= 0 && escapeAt(this.text, at) === 0) at = this.text.string.indexOf(char, at + 1);
    return at < 0 ? NOT_FOUND : at;
  }

  #nextSpecial(from: number): number {
    SPECIAL.lastIndex = from;
    return SPECIAL.exec(this.text.string)?.index ?? NOT_FOUND;
  }
}

/** The character code of the last escape that was read; -1: none. */
let decoded = 0;

/** The length of the escape that begins there, or 0; its character code is in `decoded`. */
function escapeAt(text: Text, at: number): number {
  const code = text.codes[at]!;
  if (code === BACKSLASH) return backslashEscape(text, at);
  if (code === PERCENT) return printable(hexAt(text, at + 1, 2)) ? 3 : 0;
  if (code === AMPERSAND) return entity(text, at);
  // In PowerShell white space is before it; otherwise it may close a string or a piece of code.
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

/** Where the continued line continues. */
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

/** Accepts a code as the value of an escape, if it is a text character. */
function printable(code: number): boolean {
  if (code >= BEYOND_ASCII) return specialCode(code) > 0;
  if (code < 0) return false;
  decoded = code;
  return code >= SPACE ? code < 0x7f : code === 9 || code === LF || code === CR;
}

/** As the length of the escape; 0 where the character is not one of SPECIAL_CHARS. */
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

/** Writes a layer, line by line. */
class LayerReader {
  readonly #text: Text;
  readonly #chars: Buffer;
  readonly #starts: Int32Array;
  readonly #gaps: number[] = [];
  #length = 0;
  /** Where the next line begins. */
  readTo = 0;

  constructor(text: Text) {
    this.#text = text;
    // A line that is not the first of its block costs a line break, which the text has too.
    this.#chars = Buffer.allocUnsafeSlow(text.length + 1 + CHARS_BEYOND_END);
    this.#starts = new Int32Array(text.length + 2);
  }

  /** Reads the line around an escape, with those that it is continued in. */
  readLine(within: number): void {
    const { string } = this.#text;
    const start = Math.max(this.readTo, string.lastIndexOf('\n', within - 1) + 1);
    if (start > this.readTo && this.#length > 0) this.#gaps.push(this.#length);
    const first = this.#length;
    let bounds = false;
    let hasQuote = false;
    let at = start;
    const { codes, length: end } = this.#text;
    const chars = this.#chars;
    const starts = this.#starts;
    let length = this.#length;
    for (;;) {
      while (IS_PLAIN[codes[at]!] === 1) {
        chars[length] = codes[at]!;
        starts[length++] = at++;
      }
      if (at >= end) break;
      const code = codes[at]!;
      const undone = escapeAt(this.#text, at);
      if (undone === 0) {
        hasQuote ||= code === DOUBLE_QUOTE;
        chars[length] = code;
        starts[length++] = at++;
        if (code === LF) break;
        continue;
      }
      const endsString = decoded === BACKSLASH && codes[at + undone] === DOUBLE_QUOTE;
      if (endsString || decoded === DOUBLE_QUOTE || decoded === LF || decoded === CR) bounds = true;
      if (decoded >= 0) {
        chars[length] = decoded;
        starts[length++] = at;
      }
      at += undone;
    }
    this.#length = length;
    if (bounds && hasQuote) this.#bound(first);
    this.readTo = at;
  }

  /** Makes line breaks of the double quotes that are not escaped; of one after a backslash not LF, which would continue the line. */
  #bound(first: number): void {
    for (let at = first; at < this.#length; at++) {
      if (this.#chars[at] === DOUBLE_QUOTE && this.#text.codes[this.#starts[at]!] === DOUBLE_QUOTE)
        this.#chars[at] = this.#chars[at - 1] === BACKSLASH ? CR : LF;
    }
  }

  end(): Layer {
    this.#starts[this.#length] = this.readTo;
    this.#chars.fill(0, this.#length, this.#length + CHARS_BEYOND_END);
    const text = new Text(this.#chars.toString('latin1', 0, this.#length), this.#chars);
    return { text, starts: this.#starts, gaps: this.#gaps };
  }
}
