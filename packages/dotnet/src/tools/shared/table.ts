/**
 * The rows of a table that the CLI prints: a line of headings, a line of dashes, then cells that begin where their
 * dashes do. Cells by heading; empty if there is no such table.
 */
export function parseTable(text: string): Record<string, string>[] {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => /^-{2,}[-\s]*$/.test(line));
  if (at < 1) return [];
  const columns = columnsOf(lines[at]!, lines[at - 1]!);
  const end = lines.findIndex((line, index) => index > at && line.trim() === '');
  return lines.slice(at + 1, end < 0 ? undefined : end).map((line) => cells(line, columns));
}

interface Column {
  readonly heading: string;
  readonly start: number;
  readonly end: number | undefined;
}

/** `list` prints one continuous line of dashes, `new list` one for each column; headings are separated by two spaces. */
function columnsOf(dashes: string, headings: string): Column[] {
  const starts = dashes.trim().includes(' ')
    ? [...dashes.matchAll(/-+/g)].map(({ index }) => index)
    : [...headings.matchAll(/\S+(?: \S+)*/g)].map(({ index }) => index);
  return starts.map((start, index) => {
    const end = starts[index + 1];
    return { heading: headings.slice(start, end).trim(), start, end };
  });
}

function cells(line: string, columns: readonly Column[]): Record<string, string> {
  return Object.fromEntries(columns.map(({ heading, start, end }) => [heading, line.slice(start, end).trim()]));
}
