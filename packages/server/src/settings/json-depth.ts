import { createScanner } from 'jsonc-parser';

/** The maximum nesting of a configuration. The limit keeps recursive code from overflowing the stack. */
export const MAX_DEPTH = 64;

/** Members of jsonc-parser's SyntaxKind, which cannot be imported because it is a const enum. */
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, endOfFile: 17 };

const DEPTH_CHANGE: Readonly<Record<number, number>> = {
  [TOKEN.openBrace]: 1,
  [TOKEN.openBracket]: 1,
  [TOKEN.closeBrace]: -1,
  [TOKEN.closeBracket]: -1,
};

/**
 * Returns the offset of the first bracket that nests deeper than MAX_DEPTH in JSON with comments; undefined if none
 * does. Does not recurse.
 */
export function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== TOKEN.endOfFile; token = scanner.scan()) {
    depth += DEPTH_CHANGE[token] ?? 0;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}
