/** A line that was changed, added (no `before`) or removed (no `after`). Texts have no white space at their ends. */
export interface LineChange {
  /** The line number from 1 in the new text, or in the old text for a removed line. */
  readonly line: number;
  readonly before?: string;
  readonly after?: string;
}

interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * Returns the lines that differ, in their order. Blank lines and white space at the ends of lines are ignored. XML
 * elements on the same line count as lines, because the CLI formats files that are written on one line.
 */
export function lineChanges(before: string, after: string): LineChange[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const start = commonStart(old, now);
  const end = commonStart(old.slice(start).reverse(), now.slice(start).reverse());
  return differences(old.slice(start, old.length - end), now.slice(start, now.length - end));
}

function linesOf(text: string): Line[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, index) => {
    const parts = line.trim().split(/(?<=>)\s*(?=<)/);
    return parts.filter(Boolean).map((part) => ({ number: index + 1, text: part }));
  });
}

function commonStart(a: readonly Line[], b: readonly Line[]): number {
  const difference = a.findIndex((line, index) => line.text !== b[index]?.text);
  return difference === -1 ? a.length : difference;
}

/** The maximum number of cells in the table of {@link commonLines}. Larger differences are replaced as a whole. */
const MAX_CELLS = 1_000_000;

function differences(old: readonly Line[], now: readonly Line[]): LineChange[] {
  const common = old.length * now.length > MAX_CELLS ? [] : commonLines(old, now);
  const changes: LineChange[] = [];
  let [oldStart, nowStart] = [0, 0];
  for (const [oldEnd, nowEnd] of [...common, [old.length, now.length] as const]) {
    changes.push(...replacementOf(old.slice(oldStart, oldEnd), now.slice(nowStart, nowEnd)));
    [oldStart, nowStart] = [oldEnd + 1, nowEnd + 1];
  }
  return changes;
}

/** Pairs removed and added lines as changed ones if their numbers are equal. */
function replacementOf(removed: readonly Line[], added: readonly Line[]): LineChange[] {
  if (removed.length === added.length)
    return added.map(({ number, text }, index) => ({ line: number, before: removed[index]!.text, after: text }));
  return [
    ...removed.map(({ number, text }) => ({ line: number, before: text })),
    ...added.map(({ number, text }) => ({ line: number, after: text })),
  ];
}

/** Returns the longest common subsequence as pairs of indices. */
function commonLines(a: readonly Line[], b: readonly Line[]): (readonly [number, number])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i]![j] =
        a[i]!.text === b[j]!.text ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i]!.text === b[j]!.text) pairs.push([i++, j++]);
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Matches an element that only groups others; the changes of its content are enough. */
const GROUPING = /^<\/?(?:ItemGroup|PropertyGroup|Project|Solution|Folder|configuration|packageSources)\b[^>]*>$/;
/**
 * Matches lines that say something by themselves: an XML element, a member in JSON, a directive of a C# file, or a
 * project in a `.sln`, whose other lines follow from its projects.
 */
const MEANINGFUL = /^(?:<|"|#:|Project\()/;

/** Keeps only the first line of each element that was added or removed as a whole. */
export function withoutContent<T extends LineChange>(changes: readonly T[]): T[] {
  let end: string | undefined;
  let lastLine = 0;
  return changes.filter(({ line, before, after }) => {
    const text = (after ?? before)!;
    const isWhole = before === undefined || after === undefined;
    const isInside = end !== undefined && isWhole && line === lastLine + 1;
    if (!isInside) end = isWhole ? endOf(text) : undefined;
    else if (text === end) end = undefined;
    lastLine = line;
    return !isInside;
  });
}

/** Returns the end tag of an item that continues on further lines, such as `</PackageReference>`. */
function endOf(line: string): string | undefined {
  const item = namedItem(line);
  return item && !/\/>$|<\//.test(line) ? `</${item.element}>` : undefined;
}

/**
 * Describes a change, such as `12.0.1 → 13.0.3` or `added PackageReference Dapper 2.1.66`.
 * @param options.withName true to put the name of the item before the changed words
 * @returns undefined for a line that says nothing by itself
 */
export function describeChange({ before, after }: LineChange, { withName = false } = {}): string | undefined {
  if (!MEANINGFUL.test((after ?? before)!)) return undefined;
  if (before !== undefined && after !== undefined)
    return `${(withName && namedItem(after)?.name) || ''} ${replacement(before, after)}`.trimStart();
  const text = (before ?? after)!;
  const isSlnxProject = /^<Project\s+Path=/.test(text);
  if (GROUPING.test(text) && !isSlnxProject) return undefined;
  return `${before === undefined ? 'added' : 'removed'} ${describeLine(text)}`;
}

/** Returns the words that differ, or both lines if more than two words differ or the numbers of words do. */
function replacement(before: string, after: string): string {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const changes = old.flatMap((word, index) => (word === now[index] ? [] : [`${word} → ${now[index]}`]));
  return old.length === now.length && changes.length <= 2
    ? changes.join(', ')
    : `${describeLine(before)} → ${describeLine(after)}`;
}

const wordsOf = (line: string) => line.split(/["'<>\s]+/);

const MAX_LINE_CHARS = 160;

/** Returns the name of an item of a project or of a project of a solution; any other line as it is. */
function describeLine(line: string): string {
  const item = namedItem(line);
  const version = /\sVersion(?:Override)?\s*=\s*"([^"]*)"/.exec(line)?.[1];
  if (item) return [item.element, item.name, ...(version ? [version] : [])].join(' ');
  const slnProject = /^Project\("[^"]*"\)\s*=\s*"[^"]*"\s*,\s*"([^"]*)"/.exec(line)?.[1];
  if (slnProject !== undefined) return `Project ${slnProject.replaceAll('\\', '/')}`;
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
}

/** Parses a line such as `<PackageVersion Include="Dapper" Version="2.1.66" />` into the element and the name. */
function namedItem(line: string): { element: string; name: string } | undefined {
  const [, element, name] = /^<(\w+)\s+(?:Include|Update|Path)\s*=\s*"([^"]*)"[^>]*>/.exec(line) ?? [];
  if (element === undefined || name === undefined) return undefined;
  return { element, name: isPath(element) ? name.replaceAll('\\', '/') : name };
}

const isPath = (element: string) => !/^Package(?:Reference|Version)$/.test(element);
