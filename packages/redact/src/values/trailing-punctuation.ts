import { charSet, codeBefore, isBefore, isIn } from '../scanning/chars.js';
import { BACKSLASH } from '../scanning/codes.js';
import type { Text } from '../scanning/text.js';

/** What opens each mark that may close something around the value; marks without one always belong around it. */
const OPENS: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[', '>': '<' };
const TRAILING_PUNCTUATION = charSet('\\])}>,;"\'` \t');
const PAIRED = charSet('\\])}>');
const QUOTE = charSet('"\'`');

/** Leaves what belongs to the text around the value: `(password=x),`. */
export function trimTrailingPunctuation(text: Text, from: number, end: number): number {
  if (!isBefore(text, end, TRAILING_PUNCTUATION)) return end;
  let opened: Map<string, boolean> | undefined;
  let at = end;
  while (at > from && isBefore(text, at, TRAILING_PUNCTUATION)) {
    if (isBefore(text, at, PAIRED)) {
      opened ??= new Map();
      if (isOpened(text, from, end, at - 1, opened)) break;
    }
    at--;
    if (isIn(text, at, QUOTE)) while (at > from && codeBefore(text, at) === BACKSLASH) at--;
  }
  return at;
}

/** Whether the mark closes what the value itself opens. Each kind of mark is looked for once. */
function isOpened(text: Text, from: number, end: number, closer: number, cache: Map<string, boolean>): boolean {
  const opener = OPENS[text.string[closer]!]!;
  let cached = cache.get(opener);
  if (cached === undefined) {
    cached = text.string.slice(from, end).includes(opener);
    cache.set(opener, cached);
  }
  return cached;
}
