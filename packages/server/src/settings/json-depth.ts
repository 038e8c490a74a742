import { createScanner } from 'jsonc-parser';

/** Deeper nesting is refused: whatever walks a configuration may recurse. */
export const MAX_DEPTH = 64;

/** jsonc-parser's SyntaxKind, which as a const enum cannot be imported here. */
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, endOfFile: 17 };

const STEP: Readonly<Record<number, number>> = {
  [TOKEN.openBrace]: 1,
  [TOKEN.openBracket]: 1,
  [TOKEN.closeBrace]: -1,
  [TOKEN.closeBracket]: -1,
};

/** The offset of the first bracket that nests deeper than MAX_DEPTH, in JSON with comments. Does not recurse. */
export function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== TOKEN.endOfFile; token = scanner.scan()) {
    depth += STEP[token] ?? 0;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}
