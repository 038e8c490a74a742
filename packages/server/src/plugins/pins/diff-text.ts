import { diffArrays } from 'diff';

/** Unchanged characters that are shown on both sides of a change within a line. */
const CONTEXT_CHARS = 40;
const MAX_LINE_CHARS = 500;
/** If more lines were removed and added, all lines between the first and the last difference count as changed. */
const MAX_CHANGED_LINES = 1_000;

/**
 * Returns the lines that differ in the form of a unified diff: `- before`, `+ after`. Long lines are truncated around
 * the difference, and invisible characters are shown as `\u{200b}`. [] if the texts are equal.
 */
export function textDifference(before: string, after: string): string[] {
  return before === after ? [] : hunks(before.split('\n'), after.split('\n')).flatMap(showHunk);
}

/**
 * Control characters, direction marks, fillers, tags, variation selectors, private use, lone surrogates, line
 * separators.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Replaces invisible characters of the text by `\u{…}`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}

/** Truncates the text to `maxChars` characters, and adds the number of the omitted ones. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = characterStart(text, maxChars);
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** Returns the index, or the one before if the index is inside a surrogate pair. */
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

/** Removes the common start and end of both lines, except for a few characters around the difference. */
function focus(before: string, after: string): readonly [string, string] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const from = start > CONTEXT_CHARS ? characterStart(before, start - CONTEXT_CHARS) : 0;
  const omittedEnd = Math.max(0, end - CONTEXT_CHARS);
  const truncateLine = (line: string) => {
    const to = characterStart(line, line.length - omittedEnd);
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

/** Returns the length of the common end, without the first `start` elements. */
function commonEnd(a: Sequence, b: Sequence, start: number): number {
  const shorter = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < shorter && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

function hunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [oldLines, newLines] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const parts = diffArrays(oldLines, newLines, { maxEditLength: MAX_CHANGED_LINES });
  if (parts === undefined) return [{ removed: oldLines, added: newLines }];
  const isAdded = (index: number) => parts[index]?.added === true;
  return parts.flatMap(({ value, removed }, index) => {
    // Lines that replace removed ones are the next part.
    if (removed) return [{ removed: value, added: isAdded(index + 1) ? parts[index + 1]!.value : [] }];
    return isAdded(index) && !parts[index - 1]?.removed ? [{ removed: [], added: value }] : [];
  });
}
