/**
 * How many letters have to be added, left out, replaced or swapped with their neighbour to make `b` of `a`;
 * upper and lower case are the same letter.
 */
export function editDistance(a: string, b: string): number {
  const from = a.toLowerCase();
  const to = b.toLowerCase();
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? beforeLast[column - 2]! + 1
          : Number.POSITIVE_INFINITY;
      current.push(Math.min(last[column]! + 1, current[column - 1]! + 1, replaced, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}

/** Words longer than this are not a misspelling of anything, and would make editDistance slow. */
const MAX_WORD_CHARS = 64;

/** The candidate with the smallest distance, the first of equals; undefined when there is no candidate. */
export function closest(word: string, candidates: readonly string[]): { name: string; distance: number } | undefined {
  const compared = word.slice(0, MAX_WORD_CHARS);
  let best: { name: string; distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(compared, name);
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best;
}

/** Whether a distance is small enough, for a word of this length, to ask "did you mean". */
export function isClose(distance: number, word: string): boolean {
  return distance <= Math.max(2, Math.floor(word.length / 3));
}
