import { PLACEHOLDER } from '../placeholder.js';

/** The characters of a line from `start` to `end` (exclusive). */
export interface LinePart {
  readonly start: number;
  readonly end: number;
}

/** The minimum length of the Base64 on a line of a key that is not the last line. */
export const FULL_LINE_CHARS = 40;

const BASE64_RUN = /[A-Za-z\d+/]+={0,2}/g;
const IS_BASE64 = /[A-Za-z\d+/=]/;
const ESCAPE_LETTERS = /^(?:[bfnrt]|u[\dA-Fa-f]{4})/;
const KINDS = [/[A-Z]/, /[a-z]/, /[\d+/=]/];
/** The text before a line of a key that is a string in code or JSON, a comment, or a quotation. */
const OPENERS = /^[\s"'`>|#*[(,]*$/;
const TRAILING_PUNCTUATION = /[\s"'`,;)}\]\\]/;

/**
 * Returns Base64 of at least the full width of a key's line, if it is alone on its line or has all kinds of characters.
 */
export function fullPart(line: string): LinePart | undefined {
  if (line.length < FULL_LINE_CHARS) return undefined;
  for (const { index, 0: run } of line.matchAll(BASE64_RUN)) {
    if (run.length < FULL_LINE_CHARS) continue;
    const part = { start: index, end: index + run.length };
    if (hasAllKinds(run) || isAlone(line, part)) return part;
  }
  return undefined;
}

/** Returns Base64 of any length at the end of the line, whatever is before it. */
export function lastPart(line: string): LinePart | undefined {
  const end = trimTrailingPunctuation(line);
  let start = end;
  while (start > 0 && IS_BASE64.test(line[start - 1]!)) start--;
  // The letters of a JSON escape are not Base64.
  if (line[start - 1] === '\\')
    start = Math.min(end, start + (ESCAPE_LETTERS.exec(line.slice(start, end))?.[0].length ?? 0));
  return start < end ? { start, end } : undefined;
}

/** True if only quotes, commas, indentation and the like surround the part. */
export function isAlone(line: string, { start, end }: LinePart): boolean {
  return OPENERS.test(line.slice(0, start)) && trimTrailingPunctuation(line) <= end;
}

/** True if a text has capital letters, small letters, and digits or signs. Words seldom have all three. */
export function hasAllKinds(text: string): boolean {
  return KINDS.every((kind) => kind.test(text));
}

/** Returns the end of a line without the quotes, commas, `\n`, `" +` and the like that end it. */
export function trimTrailingPunctuation(line: string): number {
  let end = line.length;
  for (;;) {
    const char = line[end - 1];
    if (char === undefined) return 0;
    if (char === ']' && line.endsWith(PLACEHOLDER, end)) return end;
    const before = line[end - 2];
    if ((char === 'n' || char === 'r') && before === '\\') end -= 2;
    else if (TRAILING_PUNCTUATION.test(char) || (char === '+' && before === ' ')) end--;
    else return end;
  }
}

/** The parts of a line that belong or may belong to a private key. */
export interface KeyLine {
  /** The part that belongs to a private key. */
  readonly key?: LinePart;
  /** Base64 that belongs to a private key if the key's END line follows. */
  readonly candidate?: LinePart;
  /**
   * If a key without a BEGIN line ends here: the number of candidates directly before this line, which belong to it.
   */
  readonly before: number;
}

/** A key without an END line is considered ended after MAX_OTHER_LINES other lines or MAX_KEY_LINES of its own. */
const MAX_OTHER_LINES = 32;
const MAX_KEY_LINES = 2048;
/** Longer lines cannot be lines of a key. */
const MAX_LINE_CHARS = 16_384;

const MARKER = /-{4,5} ?(BEGIN|END)[ +_]{1,3}([A-Z\d +_]{0,60}?)[ +_]{0,3}-{4,5}/g;
const IS_PRIVATE = /PRIVATE[ +_]KEY/;
/** PuTTY's own format: a header with the number of Base64 lines that follow, and the line after these. */
const PUTTY_BEGIN = /\bPrivate-Lines: ?(\d{1,4})/;
const PUTTY_END = /\bPrivate-MAC: ?[\da-f]*/i;
const HEADER = /^\s*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject): /;
const CHECKSUM = /^=[A-Za-z\d+/]{4}$/;
const NOTHING: KeyLine = { before: 0 };

interface OpenKey {
  /**
   * The text before the key on its last full line, and at first on its BEGIN line. It has no digits, because the times
   * of log lines differ.
   */
  prefix: string;
  linesLeft: number;
  otherLines: number;
}

/**
 * Follows the lines of one stream, in which private keys can arrive line by line. A key is open from its BEGIN line to
 * its END line. In between, all Base64 belongs to it, whatever is before the Base64 on its line (time, level,
 * indentation, quotes) and between the lines. Certificates and public keys are not recognised.
 */
export class KeyLines {
  #open: OpenKey | undefined;
  #candidates = 0;

  /** True if a key has begun and has not ended. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Reads the next line of the stream. @param line without its line end, ANSI sequences and control characters */
  read(line: string): KeyLine {
    const keyLine = line.length > MAX_LINE_CHARS ? NOTHING : this.#find(line);
    this.#candidates = keyLine.candidate ? this.#candidates + 1 : 0;
    return keyLine;
  }

  #find(line: string): KeyLine {
    const mayBeMarker = line.includes('----') || line.includes('Private-');
    const marker = mayBeMarker ? (this.#readMarkers(line) ?? this.#readPutty(line)) : undefined;
    if (marker) return marker;
    if (this.#open) return this.#readOpen(line, this.#open);
    return candidate(fullPart(line) ?? lastAlone(line));
  }

  #readMarkers(line: string): KeyLine | undefined {
    const markers = [...line.matchAll(MARKER)].map(({ index, 0: text, 1: word, 2: label }) => ({
      start: index,
      end: index + text.length,
      begins: word === 'BEGIN',
      isPrivate: IS_PRIVATE.test(label!),
    }));
    const privateMarkers = markers.filter(({ isPrivate }) => isPrivate);
    const [first, last] = [privateMarkers[0], privateMarkers.at(-1)];
    if (markers.length > 0) this.#open = undefined;
    if (!first || !last) return markers.length > 0 ? NOTHING : undefined;
    const opened = last.begins && last === markers.at(-1) ? this.#begin(line, last.start, MAX_KEY_LINES) : undefined;
    const end = opened?.key?.end ?? last.end;
    if (first.begins) return { key: { start: first.start, end }, before: 0 };
    return { key: { start: bodyStart(line, first.start), end }, before: this.#candidates };
  }

  #readPutty(line: string): KeyLine | undefined {
    const begin = PUTTY_BEGIN.exec(line);
    if (begin) {
      this.#begin(line, begin.index, Number(begin[1]));
      return NOTHING;
    }
    const end = PUTTY_END.exec(line);
    if (!end) return undefined;
    this.#open = undefined;
    return { key: { start: end.index, end: end.index + end[0].length }, before: this.#candidates };
  }

  /** Opens a key, which begins on this line. */
  #begin(line: string, start: number, linesLeft: number): KeyLine {
    this.#open = { prefix: withoutDigits(line.slice(0, start)), linesLeft, otherLines: 0 };
    return { key: { start, end: Math.min(bodyEnd(line, start), trimTrailingPunctuation(line)) }, before: 0 };
  }

  #readOpen(line: string, open: OpenKey): KeyLine {
    if (line.trim() === '') return NOTHING;
    const full = fullPart(line);
    if (full) open.prefix = withoutDigits(line.slice(0, full.start));
    const key = HEADER.test(line) ? { start: 0, end: line.length } : (full ?? lastLineOf(line, open.prefix));
    if (key) {
      open.otherLines = 0;
      open.linesLeft--;
    } else open.otherLines++;
    if (open.linesLeft <= 0 || open.otherLines > MAX_OTHER_LINES) this.#open = undefined;
    return key ? { key, before: 0 } : candidate(shortPart(line, open.prefix));
  }
}

/**
 * The rest of the quoted string in which a key begins, and strings of Base64 directly after it:
 * `"-----BEGIN …", "MIIE…"`.
 */
const QUOTED_BODY = /[^"]*(?:"[\s,+\\]{0,20}"[A-Za-z\d+/=\\]{16,}(?="[\s,+\]}]|"$|\\+"[\s,+\]}]))*/y;

/**
 * Returns the end of a key on its BEGIN line: the end of the string around it, so that JSON stays valid, or of the
 * line.
 */
function bodyEnd(line: string, start: number): number {
  if (!line.slice(0, start).includes('"')) return line.length;
  QUOTED_BODY.lastIndex = start;
  QUOTED_BODY.test(line);
  let end = QUOTED_BODY.lastIndex;
  while (line[end] === '"' && line[end - 1] === '\\') end--;
  return end;
}

/** Returns the start of the Base64 directly before the END of a key. */
function bodyStart(line: string, end: number): number {
  return lastPart(line.slice(0, end))?.start ?? end;
}

function candidate(part: LinePart | undefined): KeyLine {
  return part ? { candidate: part, before: 0 } : NOTHING;
}

/** Returns the Base64 of an open key on a line that is not full. */
function lastLineOf(line: string, prefix: string): LinePart | undefined {
  const short = shortPart(line, prefix);
  const text = short && line.slice(short.start, short.end);
  return text && (text.endsWith('=') || CHECKSUM.test(text) || hasAllKinds(text)) ? short : undefined;
}

/**
 * Returns Base64 of any length at the end of a line, if it is alone or the text before it is the prefix of the key's
 * lines.
 */
function shortPart(line: string, prefix: string): LinePart | undefined {
  const part = lastPart(line);
  if (!part) return undefined;
  return isAlone(line, part) || withoutDigits(line.slice(0, part.start)) === prefix ? part : undefined;
}

function lastAlone(line: string): LinePart | undefined {
  const part = lastPart(line);
  return part && isAlone(line, part) ? part : undefined;
}

const withoutDigits = (text: string) => text.replace(/\d+/g, '');
