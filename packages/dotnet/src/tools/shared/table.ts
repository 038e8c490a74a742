/**
 * Parses a table that the CLI prints: a line of headings, a line of dashes, then rows whose cells begin at the same
 * positions. Returns the cells of each row by their headings; empty if the text has no such table.
 */
export function parseTable(text: string): Record<string, string>[] {
  const lines = text.split(/\r?\n/);
  const dashesAt = lines.findIndex((line) => /^-{2,}[-\s]*$/.test(line));
  if (dashesAt < 1) return [];
  const columns = columnsOf(lines[dashesAt]!, lines[dashesAt - 1]!);
  const end = lines.findIndex((line, index) => index > dashesAt && line.trim() === '');
  return lines.slice(dashesAt + 1, end < 0 ? undefined : end).map((line) => cells(line, columns));
}

interface Column {
  readonly heading: string;
  readonly start: number;
  readonly end: number | undefined;
}

/**
 * Finds the columns. `new list` prints separate dashes for each column. `list` prints one continuous line of dashes, so
 * the columns follow from the headings, which are separated by at least two spaces.
 */
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
