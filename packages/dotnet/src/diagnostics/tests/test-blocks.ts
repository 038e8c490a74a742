/** The lines that a runner prints below the name of a test. */
export interface TestBlock {
  readonly testName: string;
  readonly body: string[];
}

/**
 * Finds the blocks of tests.
 * @param start matches the first line of a block; its first group is the name of the test
 * @param isEnd is true for a line after the end of a block
 */
export function testBlocks(lines: readonly string[], start: RegExp, isEnd: (line: string) => boolean): TestBlock[] {
  const blocks: TestBlock[] = [];
  let open: TestBlock | undefined;
  for (const line of lines) {
    const testName = start.exec(line)?.[1];
    if (testName !== undefined) {
      open = { testName, body: [] };
      blocks.push(open);
    } else if (open && isEnd(line)) {
      open = undefined;
    } else {
      open?.body.push(line);
    }
  }
  return blocks;
}

/** Joins lines without the indentation of the first one, which is often the only line that runners indent. */
export function unindented(lines: readonly string[]): string {
  const indent = /^\s*/.exec(lines.find((line) => line.trim() !== '') ?? '')![0];
  return lines
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line).trimEnd())
    .join('\n')
    .trim();
}

/** Returns the names below a heading; undefined if there is no heading. @param name its first group is the name */
export function namesBelow(lines: readonly string[], heading: RegExp, name: RegExp): string[] | undefined {
  const first = lines.findIndex((line) => heading.test(line));
  if (first < 0) return undefined;
  return lines.slice(first).flatMap((line) => name.exec(line)?.[1]?.trimEnd() ?? []);
}
