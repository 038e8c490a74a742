/** A line of a file that an edit changed, added (no `before`) or removed (no `after`); both without white space at their ends. */
export interface LineChange {
  /** In the new text, of a removed line in the old one; the first is 1. */
  readonly line: number;
  readonly before?: string;
  readonly after?: string;
}

interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * The lines that differ, in their order. Blank lines and white space at the ends of lines do not count, nor whether an
 * element begins on a line of its own: the CLI formats a file that has all of them on one line.
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

/** Cells of the table of {@link commonLines}; larger texts have nothing in common. */
const MAX_CELLS = 1_000_000;

function differences(old: readonly Line[], now: readonly Line[]): LineChange[] {
  const common = old.length * now.length > MAX_CELLS ? [] : commonLines(old, now);
  const changes: LineChange[] = [];
  let [oldStart, nowStart] = [0, 0];
  for (const [oldEnd, nowEnd] of [...common, [old.length, now.length] as const]) {
    changes.push(...replaced(old.slice(oldStart, oldEnd), now.slice(nowStart, nowEnd)));
    [oldStart, nowStart] = [oldEnd + 1, nowEnd + 1];
  }
  return changes;
}

/** As many removed as added lines are changed lines. */
function replaced(removed: readonly Line[], added: readonly Line[]): LineChange[] {
  if (removed.length === added.length)
    return added.map(({ number, text }, index) => ({ line: number, before: removed[index]!.text, after: text }));
  return [
    ...removed.map(({ number, text }) => ({ line: number, before: text })),
    ...added.map(({ number, text }) => ({ line: number, after: text })),
  ];
}

/** The longest sequence of equal lines, as pairs of indices. */
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

/** A line that only groups others, as the change of its content shows. */
const GROUPING = /^<\/?(?:ItemGroup|PropertyGroup|Project|Solution|Folder|configuration|packageSources)\b[^>]*>$/;
/** An element, a member of JSON, a directive of a C# file, and a project of a `.sln`, whose other lines follow from its projects. */
const TELLING = /^(?:<|"|#:|Project\()/;

/** Leaves the first line of each element that was added or removed as a whole, and drops the lines of its content and its end. */
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

/** `</PackageReference>` for the first line of an item that continues on others. */
function endOf(line: string): string | undefined {
  const item = namedItem(line);
  return item && !/\/>$|<\//.test(line) ? `</${item.element}>` : undefined;
}

/** `12.0.1 → 13.0.3`, `added PackageReference Dapper 2.1.66`; undefined for a line that says nothing by itself. */
export function describeChange({ before, after }: LineChange, { withName = false } = {}): string | undefined {
  if (!TELLING.test((after ?? before)!)) return undefined;
  if (before !== undefined && after !== undefined)
    return `${(withName && namedItem(after)?.name) || ''} ${replacement(before, after)}`.trimStart();
  const text = (before ?? after)!;
  const isElement = /^<Project\s+Path=/.test(text);
  if (GROUPING.test(text) && !isElement) return undefined;
  return `${before === undefined ? 'added' : 'removed'} ${describeLine(text)}`;
}

/** Names the words that differ, or both whole lines if more than two words differ or a line has more words than the other. */
function replacement(before: string, after: string): string {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const changes = old.flatMap((word, index) => (word === now[index] ? [] : [`${word} → ${now[index]}`]));
  return old.length === now.length && changes.length <= 2
    ? changes.join(', ')
    : `${describeLine(before)} → ${describeLine(after)}`;
}

const wordsOf = (line: string) => line.split(/["'<>\s]+/);

const MAX_LINE_CHARS = 160;

/** An item of a project and a project of a solution by name; any other line as it is. */
function describeLine(line: string): string {
  const item = namedItem(line);
  const version = /\sVersion(?:Override)?\s*=\s*"([^"]*)"/.exec(line)?.[1];
  if (item) return [item.element, item.name, ...(version ? [version] : [])].join(' ');
  const slnProject = /^Project\("[^"]*"\)\s*=\s*"[^"]*"\s*,\s*"([^"]*)"/.exec(line)?.[1];
  if (slnProject !== undefined) return `Project ${slnProject.replaceAll('\\', '/')}`;
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
}

/** `<PackageVersion Include="Dapper" Version="2.1.66" />`: the element, and what it is about. */
function namedItem(line: string): { element: string; name: string } | undefined {
  const [, element, name] = /^<(\w+)\s+(?:Include|Update|Path)\s*=\s*"([^"]*)"[^>]*>/.exec(line) ?? [];
  if (element === undefined || name === undefined) return undefined;
  return { element, name: isPath(element) ? name.replaceAll('\\', '/') : name };
}

const isPath = (element: string) => !/^Package(?:Reference|Version)$/.test(element);
