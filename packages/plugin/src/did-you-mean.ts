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
      const ifReplaced = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      const ifSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? beforeLast[column - 2]! + 1
          : Number.POSITIVE_INFINITY;
      current.push(Math.min(last[column]! + 1, current[column - 1]! + 1, ifReplaced, ifSwapped));
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
  const shortWord = word.slice(0, MAX_WORD_CHARS);
  let best: { name: string; distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(shortWord, name);
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best;
}

/** True if a distance is small enough, for the length of `word`, to suggest the other name. */
export function isClose(distance: number, word: string): boolean {
  return distance <= Math.max(2, Math.floor(word.length / 3));
}

const MAX_SUGGESTIONS = 3;
const MAX_NAME_CHARS = 128;

/**
 * The `names` that `name` could mean, the most similar first: another spelling, a few different letters, or a part of
 * the name.
 * @param maxCount the maximum number of suggestions
 */
export function suggestNames(name: string, names: Iterable<string>, maxCount = MAX_SUGGESTIONS): string[] {
  const wanted = spelling(name.slice(0, MAX_NAME_CHARS));
  return [...new Set(names)]
    .map((candidate) => ({ candidate, rank: rankOf(wanted, spelling(candidate)) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank! || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, maxCount)
    .map(({ candidate }) => candidate);
}

const spelling = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The number of edits. For a part of the other name a larger number. undefined if the names are not similar. */
function rankOf(wanted: string, candidate: string): number | undefined {
  if (wanted === '' || candidate === '') return undefined;
  const minChars = Math.min(wanted.length, candidate.length);
  const extraChars = Math.abs(wanted.length - candidate.length);
  const maxEdits = Math.max(1, Math.floor(minChars / 3));
  const edits = extraChars > maxEdits ? extraChars : editDistance(wanted, candidate);
  if (edits <= maxEdits && edits < minChars) return edits;
  const isPart = minChars >= 3 && (candidate.includes(wanted) || wanted.includes(candidate));
  return isPart ? MAX_NAME_CHARS + extraChars : undefined;
}
