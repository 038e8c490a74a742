/** What a runner prints below the name of a failed test. */
export interface TestBlock {
  readonly testName: string;
  readonly body: string[];
}

/** The lines below each one that `start` matches (its first group is the name), up to one that ends it. */
export function testBlocks(lines: readonly string[], start: RegExp, isEnd: (line: string) => boolean): TestBlock[] {
  const found: TestBlock[] = [];
  let open: TestBlock | undefined;
  for (const line of lines) {
    const testName = start.exec(line)?.[1];
    if (testName !== undefined) {
      open = { testName, body: [] };
      found.push(open);
    } else if (open && isEnd(line)) {
      open = undefined;
    } else {
      open?.body.push(line);
    }
  }
  return found;
}

/** A message without the indentation of its first line: runners indent that one, and often only that. */
export function unindented(lines: readonly string[]): string {
  const indent = /^\s*/.exec(lines.find((line) => line.trim() !== '') ?? '')![0];
  return lines
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line).trimEnd())
    .join('\n')
    .trim();
}

/** The indented names below a heading; undefined if there is no heading. */
export function namesBelow(lines: readonly string[], heading: RegExp, name: RegExp): string[] | undefined {
  const first = lines.findIndex((line) => heading.test(line));
  if (first < 0) return undefined;
  return lines.slice(first).flatMap((line) => name.exec(line)?.[1]?.trimEnd() ?? []);
}
