import { PLACEHOLDER } from '../placeholder.js';

/** Part of a line: where it starts and ends. */
export interface LinePart {
  readonly start: number;
  readonly end: number;
}

/** A line of a key, unless it is the last one, is at least so long. */
export const FULL_LINE_CHARS = 40;

const BASE64_RUN = /[A-Za-z\d+/]+={0,2}/g;
const IS_BASE64 = /[A-Za-z\d+/=]/;
const ESCAPE_LETTERS = /^(?:[bfnrt]|u[\dA-Fa-f]{4})/;
const KINDS = [/[A-Z]/, /[a-z]/, /[\d+/=]/];
/** What encloses a line that is a string in code or JSON, a comment, or a quotation. */
const OPENERS = /^[\s"'`>|#*[(,]*$/;
const TRAILING_PUNCTUATION = /[\s"'`,;)}\]\\]/;

/** Base64 of the width of a key's line: alone on its line, or with all kinds of characters in it. */
export function fullPart(line: string): LinePart | undefined {
  if (line.length < FULL_LINE_CHARS) return undefined;
  for (const { index, 0: run } of line.matchAll(BASE64_RUN)) {
    if (run.length < FULL_LINE_CHARS) continue;
    const part = { start: index, end: index + run.length };
    if (hasAllKinds(run) || isAlone(line, part)) return part;
  }
  return undefined;
}

/** Any Base64 that ends the line, whatever is before it. */
export function lastPart(line: string): LinePart | undefined {
  const end = trimTrailingPunctuation(line);
  let start = end;
  while (start > 0 && IS_BASE64.test(line[start - 1]!)) start--;
  // The letters of an escape of JSON are not Base64.
  if (line[start - 1] === '\\')
    start = Math.min(end, start + (ESCAPE_LETTERS.exec(line.slice(start, end))?.[0].length ?? 0));
  return start < end ? { start, end } : undefined;
}

/** Whether only quotes, commas, indentation and the like are around it. */
export function isAlone(line: string, { start, end }: LinePart): boolean {
  return OPENERS.test(line.slice(0, start)) && trimTrailingPunctuation(line) <= end;
}

/** Capital letters, small ones, and digits or signs: words are seldom of all three. */
export function hasAllKinds(text: string): boolean {
  return KINDS.every((kind) => kind.test(text));
}

/** Where what encloses the end of a line starts: quotes, commas, `\n`, `" +`. */
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

/** What a line has to do with private keys. */
export interface KeyLine {
  /** Belongs to a private key. */
  readonly key?: LinePart;
  /** Is Base64, which the END line of a private key would make a part of that key. */
  readonly candidate?: LinePart;
  /** How many candidates right before this line belong to the key that ends here: its beginning was not seen. */
  readonly before: number;
}

/** A key without an END line is considered ended after MAX_OTHER_LINES other lines or MAX_KEY_LINES of its own. */
const MAX_OTHER_LINES = 32;
const MAX_KEY_LINES = 2048;
/** Longer lines are not a line of a key. */
const MAX_LINE_CHARS = 16_384;

const MARKER = /-{4,5} ?(BEGIN|END)[ +_]{1,3}([A-Z\d +_]{0,60}?)[ +_]{0,3}-{4,5}/g;
const IS_PRIVATE = /PRIVATE[ +_]KEY/;
/** PuTTY's own format: the number of Base64 lines that follow, and what comes after them. */
const PUTTY_BEGIN = /\bPrivate-Lines: ?(\d{1,4})/;
const PUTTY_END = /\bPrivate-MAC: ?[\da-f]*/i;
const HEADER = /^\s*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Subject): /;
const CHECKSUM = /^=[A-Za-z\d+/]{4}$/;
const NOTHING: KeyLine = { before: 0 };

interface OpenKey {
  /** What is before the key on its last whole line, at first that of BEGIN, without its digits: the times of log lines differ. */
  prefix: string;
  linesLeft: number;
  others: number;
}

/**
 * Follows the lines of one stream, in which private keys can arrive line by line. A key is open from its BEGIN line to
 * its END line; in between, every line of Base64 belongs to it, whatever is before it on the line (time, level,
 * indentation, quotes) and between its lines. Certificates and public keys are not keys to it.
 */
export class KeyLines {
  #open: OpenKey | undefined;
  #candidates = 0;

  /** A key has begun and has not ended. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** @param line the next one, without its line end, ANSI sequences and control characters */
  read(line: string): KeyLine {
    const found = line.length > MAX_LINE_CHARS ? NOTHING : this.#find(line);
    this.#candidates = found.candidate ? this.#candidates + 1 : 0;
    return found;
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
    const ofKeys = markers.filter(({ isPrivate }) => isPrivate);
    const [first, last] = [ofKeys[0], ofKeys.at(-1)];
    if (markers.length > 0) this.#open = undefined;
    if (!first || !last) return markers.length > 0 ? NOTHING : undefined;
    const begun = last.begins && last === markers.at(-1) ? this.#begin(line, last.start, MAX_KEY_LINES) : undefined;
    const end = begun?.key?.end ?? last.end;
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

  #begin(line: string, start: number, linesLeft: number): KeyLine {
    this.#open = { prefix: withoutDigits(line.slice(0, start)), linesLeft, others: 0 };
    return { key: { start, end: Math.min(bodyEnd(line, start), trimTrailingPunctuation(line)) }, before: 0 };
  }

  #readOpen(line: string, open: OpenKey): KeyLine {
    if (line.trim() === '') return NOTHING;
    const full = fullPart(line);
    if (full) open.prefix = withoutDigits(line.slice(0, full.start));
    const key = HEADER.test(line) ? { start: 0, end: line.length } : (full ?? lastLineOf(line, open.prefix));
    if (key) {
      open.others = 0;
      open.linesLeft--;
    } else open.others++;
    if (open.linesLeft <= 0 || open.others > MAX_OTHER_LINES) this.#open = undefined;
    return key ? { key, before: 0 } : candidate(shortPart(line, open.prefix));
  }
}

/** The rest of the string in quotes that a key begins in, with strings of Base64 right after it: `"-----BEGIN …", "MIIE…"`. */
const QUOTED_BODY = /[^"]*(?:"[\s,+\\]{0,20}"[A-Za-z\d+/=\\]{16,}(?="[\s,+\]}]|"$|\\+"[\s,+\]}]))*/y;

/** Where the body ends that begins with a BEGIN line: with the string around it, so that JSON stays valid, or with the line. */
function bodyEnd(line: string, start: number): number {
  if (!line.slice(0, start).includes('"')) return line.length;
  QUOTED_BODY.lastIndex = start;
  QUOTED_BODY.test(line);
  let end = QUOTED_BODY.lastIndex;
  while (line[end] === '"' && line[end - 1] === '\\') end--;
  return end;
}

/** Where the Base64 starts that is right before the END of a key. */
function bodyStart(line: string, end: number): number {
  return lastPart(line.slice(0, end))?.start ?? end;
}

function candidate(part: LinePart | undefined): KeyLine {
  return part ? { candidate: part, before: 0 } : NOTHING;
}

/** The Base64 of an open key on a line of it that is not whole. */
function lastLineOf(line: string, prefix: string): LinePart | undefined {
  const short = shortPart(line, prefix);
  const text = short && line.slice(short.start, short.end);
  return text && (text.endsWith('=') || CHECKSUM.test(text) || hasAllKinds(text)) ? short : undefined;
}

/** Base64 of any length at the end of a line, if the text before it is the prefix of the key's lines. */
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
