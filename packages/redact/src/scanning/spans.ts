/** A flat list of ranges in a text: start, end, start, end, … */
export type Spans = readonly number[];

/** Merges two lists of spans. The spans of each list, and of the result, are sorted and neither overlap nor touch. */
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

/**
 * Sorts the spans and merges those that overlap or touch. It is a merge sort that starts with the runs already sorted.
 */
export function merged(spans: Spans): Spans {
  let runs = runsOf(spans);
  while (runs.length > 1) {
    const longerRuns: Spans[] = [];
    for (let index = 0; index < runs.length; index += 2) longerRuns.push(united(runs[index]!, runs[index + 1] ?? []));
    runs = longerRuns;
  }
  return runs[0] ?? [];
}

/** Divides a list into runs in which each span begins after the end of the span before. */
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

/** Replaces each span of the string by `placeholder`. The spans must be sorted and not overlap. */
export function replace(string: string, spans: Spans, placeholder: string): string {
  let result = '';
  let copiedTo = 0;
  for (let index = 0; index < spans.length; index += 2) {
    result += string.slice(copiedTo, spans[index]) + placeholder;
    copiedTo = spans[index + 1]!;
  }
  return result + string.slice(copiedTo);
}
