/** The names most like a wanted one, the nearest first, at most `most`; case does not count. */
export function suggestNames(requested: string, names: Iterable<string>, most = 3): string[] {
  const key = requested.toLowerCase();
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(key, name.toLowerCase()) }))
    .filter(({ name, distance }) => isClose(key, name.toLowerCase(), distance))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name, 'en'))
    .slice(0, most)
    .map(({ name }) => name);
}

/** A third of the characters may differ, or one name is a part of the other. */
function isClose(requested: string, name: string, distance: number): boolean {
  if (name === requested) return false;
  if (distance <= Math.max(1, Math.floor(requested.length / 3))) return true;
  const [short, long] = requested.length < name.length ? [requested, name] : [name, requested];
  return short.length >= 4 && `.${long}.`.includes(`.${short}.`);
}

/** How many characters must be changed, added or taken away (Levenshtein). */
export function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
