import { diffArrays } from 'diff';

/** Equal characters that are shown on both sides of a change within a line. */
const CONTEXT_CHARS = 40;
/** Longer lines are shown up to this length. */
const MAX_LINE_CHARS = 500;
/** If more lines than these were removed and added, all lines between the first and the last difference count as changed. */
const MAX_CHANGED_LINES = 1_000;

/**
 * The lines that differ, as a unified diff has them: `- before`, `+ after`, long lines truncated around the difference. Invisible
 * characters are shown as `\u{200b}`. [] when the texts are equal.
 */
export function textDifference(before: string, after: string): string[] {
  return before === after ? [] : hunks(before.split('\n'), after.split('\n')).flatMap(showHunk);
}

/** Controls, marks of direction, fillers, tags, variation selectors, private use, lone surrogates, line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with invisible characters written as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}

/** At most `maxChars` characters, and how many more there are. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = characterStart(text, maxChars);
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** The index, or the one before it when it would cut a surrogate pair. */
function characterStart(text: string, index: number): number {
  const isInside = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1));
  return isInside ? index - 1 : index;
}

interface Hunk {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

function showHunk({ removed, added }: Hunk): string[] {
  const pairs = removed.slice(0, added.length).map((line, index) => focus(line, added[index]!));
  const prefixed = (prefix: string, lines: readonly string[], side: 0 | 1) =>
    lines.map((line, index) => `${prefix} ${visible(shorten(pairs[index]?.[side] ?? line, MAX_LINE_CHARS))}`);
  return [...prefixed('-', removed, 0), ...prefixed('+', added, 1)];
}

/** Both lines without what they have in common, but for a few characters around the difference. */
function focus(before: string, after: string): readonly [string, string] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const from = start > CONTEXT_CHARS ? characterStart(before, start - CONTEXT_CHARS) : 0;
  const rest = Math.max(0, end - CONTEXT_CHARS);
  const truncateLine = (line: string) => {
    const to = characterStart(line, line.length - rest);
    return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
  };
  return [truncateLine(before), truncateLine(after)];
}

type Sequence = string | readonly string[];

function commonStart(a: Sequence, b: Sequence): number {
  const shorter = Math.min(a.length, b.length);
  let count = 0;
  while (count < shorter && a[count] === b[count]) count += 1;
  return count;
}

/** Does not reach into the first `start` elements. */
function commonEnd(a: Sequence, b: Sequence, start: number): number {
  const shorter = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < shorter && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

function hunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const parts = diffArrays(old, now, { maxEditLength: MAX_CHANGED_LINES });
  if (parts === undefined) return [{ removed: old, added: now }];
  const isAdded = (index: number) => parts[index]?.added === true;
  return parts.flatMap(({ value, removed }, index) => {
    // What takes the place of removed lines comes right after them.
    if (removed) return [{ removed: value, added: isAdded(index + 1) ? parts[index + 1]!.value : [] }];
    return isAdded(index) && !parts[index - 1]?.removed ? [{ removed: [], added: value }] : [];
  });
}
