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
