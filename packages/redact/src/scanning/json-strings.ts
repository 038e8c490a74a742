import type { Spans } from './spans.js';

const BEGINS_JSON = /^\s{0,64}[[{]/;
const STRING = /"(?:[^"\\]|\\.)*"/g;
/**
 * A span that may leave a JSON string. A span inside a string has no quotes and seldom begins with punctuation of JSON.
 */
const MAY_LEAVE_STRING = /^[\s:,{}[\]]|"/;

/**
 * Limits the spans of a JSON document to the contents of its strings, so that valid JSON stays valid. A span can reach
 * from one string into the next if both together look like a secret, as in `{"a": "<password>x", "</password>": 1}`.
 * @returns the same spans if the text is not JSON
 */
export function withinJsonStrings(string: string, spans: Spans): Spans {
  if (!BEGINS_JSON.test(string) || !mayLeaveString(string, spans) || !isJson(string)) return spans;
  const limitedSpans: number[] = [];
  let first = 0;
  for (const { index, 0: quoted } of string.matchAll(STRING)) {
    const contentStart = index + 1;
    const contentEnd = index + quoted.length - 1;
    while (first < spans.length && spans[first + 1]! <= contentStart) first += 2;
    for (let at = first; at < spans.length && spans[at]! < contentEnd; at += 2) {
      const start = Math.max(spans[at]!, contentStart);
      const end = Math.min(spans[at + 1]!, contentEnd);
      if (start < end) limitedSpans.push(start, end);
    }
  }
  return limitedSpans;
}

function mayLeaveString(string: string, spans: Spans): boolean {
  for (let index = 0; index < spans.length; index += 2) {
    if (MAY_LEAVE_STRING.test(string.slice(spans[index], spans[index + 1]))) return true;
  }
  return false;
}

/** True if the text is a JSON object or list. */
export function isJson(string: string): boolean {
  if (!BEGINS_JSON.test(string)) return false;
  try {
    JSON.parse(string);
    return true;
  } catch {
    return false;
  }
}
