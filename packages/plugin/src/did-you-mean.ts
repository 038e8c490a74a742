/**
 * The number of letters that must be added, removed, replaced or swapped with a neighbour to turn `a` into `b`. Case is
 * ignored.
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

/** A longer word is not a misspelling of anything, and would make editDistance slow. */
const MAX_WORD_CHARS = 64;

/** The candidate with the smallest distance, and of equals the first. undefined if there are no candidates. */
export function closest(word: string, candidates: readonly string[]): { name: string; distance: number } | undefined {
  const compared = word.slice(0, MAX_WORD_CHARS);
  let best: { name: string; distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(compared, name);
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best;
}

/** True if a distance is small enough, for the length of `word`, to suggest the other name. */
export function isClose(distance: number, word: string): boolean {
  return distance <= Math.max(2, Math.floor(word.length / 3));
}

const MAX_SUGGESTIONS = 3;
const MAX_NAME = 128;

/**
 * The `names` that `name` could mean, the most similar first: another spelling, a few different letters, or a part of
 * the name.
 * @param most the maximum number of suggestions
 */
export function suggestNames(name: string, names: Iterable<string>, most = MAX_SUGGESTIONS): string[] {
  const preferred = spelling(name.slice(0, MAX_NAME));
  return [...new Set(names)]
    .map((candidate) => ({ candidate, rank: rankOf(preferred, spelling(candidate)) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank! || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

const spelling = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function rankOf(preferred: string, existing: string): number | undefined {
  if (preferred === '' || existing === '') return undefined;
  const shorter = Math.min(preferred.length, existing.length);
  const allowed = Math.max(1, Math.floor(shorter / 3));
  const edits =
    Math.abs(preferred.length - existing.length) > allowed ? allowed + 1 : editDistance(preferred, existing);
  if (edits <= allowed && edits < shorter) return edits;
  const isPart = shorter >= 3 && (existing.includes(preferred) || preferred.includes(existing));
  return isPart ? MAX_NAME + Math.abs(preferred.length - existing.length) : undefined;
}
