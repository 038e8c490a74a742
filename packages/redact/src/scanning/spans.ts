/** Parts of a text: where they start and end, one after the other. */
export type Spans = readonly number[];

/** The spans of two lists, each in order and apart, as one such list. */
export function united(one: Spans, other: Spans): Spans {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const all: number[] = [];
  for (let left = 0, right = 0; left < one.length || right < other.length; ) {
    const isLeft = right >= other.length || (left < one.length && one[left]! <= other[right]!);
    const start = isLeft ? one[left]! : other[right]!;
    const end = isLeft ? one[left + 1]! : other[right + 1]!;
    if (isLeft) left += 2;
    else right += 2;
    const last = all.length - 1;
    if (last > 0 && start <= all[last]!) all[last] = Math.max(all[last]!, end);
    else all.push(start, end);
  }
  return all;
}

/** The spans in order, with overlapping and adjacent ones merged: a merge sort of runs that are already in order. */
export function merged(spans: Spans): Spans {
  let runs = runsOf(spans);
  while (runs.length > 1) {
    const longer: Spans[] = [];
    for (let index = 0; index < runs.length; index += 2) longer.push(united(runs[index]!, runs[index + 1] ?? []));
    runs = longer;
  }
  return runs[0] ?? [];
}

/** The parts of a list in which each span begins after the one before has ended. */
function runsOf(spans: Spans): Spans[] {
  const runs: Spans[] = [];
  let first = 0;
  for (let index = 2; index <= spans.length; index += 2) {
    if (index < spans.length && spans[index]! > spans[index - 1]!) continue;
    runs.push(first === 0 && index === spans.length ? spans : spans.slice(first, index));
    first = index;
  }
  return runs;
}

/** The string with `placeholder` in the place of each span. */
export function replace(string: string, spans: Spans, placeholder: string): string {
  let result = '';
  let copiedTo = 0;
  for (let index = 0; index < spans.length; index += 2) {
    result += string.slice(copiedTo, spans[index]) + placeholder;
    copiedTo = spans[index + 1]!;
  }
  return result + string.slice(copiedTo);
}
