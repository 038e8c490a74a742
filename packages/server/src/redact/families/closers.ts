import { charSet, codeBefore, isBefore, isIn } from '../chars.js';
import { BACKSLASH } from '../codes.js';

/** What opens each mark that may close something around the value; marks without one always belong around it. */
const OPENS: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[', '>': '<' };
const CLOSERS = charSet('\\])}>,;"\'` \t');
const PAIRED = charSet('\\])}>');
const QUOTE = charSet('"\'`');

/** Leaves what belongs to the text around the value: `(password=x),`. */
export function withoutClosers(text: string, from: number, end: number): number {
  if (!isBefore(text, end, CLOSERS)) return end;
  const opened = new Map<string, boolean>();
  let at = end;
  while (at > from && isBefore(text, at, CLOSERS) && !isOpened(text, from, end, at - 1, opened)) {
    at--;
    if (isIn(text, at, QUOTE)) while (at > from && codeBefore(text, at) === BACKSLASH) at--;
  }
  return at;
}

/** Whether the mark closes what the value itself opens. Each kind of mark is looked for once. */
function isOpened(text: string, from: number, end: number, closer: number, known: Map<string, boolean>): boolean {
  if (!isIn(text, closer, PAIRED)) return false;
  const opener = OPENS[text[closer]!]!;
  let isKnown = known.get(opener);
  if (isKnown === undefined) {
    isKnown = text.slice(from, end).includes(opener);
    known.set(opener, isKnown);
  }
  return isKnown;
}
