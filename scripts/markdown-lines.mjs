const FENCE = /^[\s>]*(?:[-*]\s+)?(`{3,}|~{3,})/;

/** The lines of a page, numbered from 1, without its fenced blocks of code. */
export function linesOutsideFences(text) {
  let fence;
  return text.split('\n').flatMap((line, index) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return [];
    }
    fence = mark;
    return [{ line, lineNumber: index + 1 }];
  });
}
