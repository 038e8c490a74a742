/** Equal characters that are shown on both sides of a change within a line. */
const CONTEXT_CHARS = 40;
/** What is shown of one line. */
const MAX_LINE_CHARS = 500;
/** Above this many comparisons, all lines between the first and the last difference count as changed. */
const MAX_COMPARISONS = 250_000;

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
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return removed.length * added.length > MAX_COMPARISONS ? [{ removed, added }] : splitHunk(removed, added);
}

/** Lines of the longest common subsequence end one hunk and begin the next. */
function splitHunk(before: readonly string[], after: readonly string[]): Hunk[] {
  const lengths = commonLengths(before, after);
  const found: Hunk[] = [];
  let hunk = { removed: [] as string[], added: [] as string[] };
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      found.push(hunk);
      hunk = { removed: [], added: [] };
      i += 1;
      j += 1;
    } else if (j === after.length || (i < before.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      hunk.removed.push(before[i++]!);
    } else hunk.added.push(after[j++]!);
  }
  return [...found, hunk];
}

/** `[i][j]`: how many lines `before` from i and `after` from j have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        before[i] === after[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}
