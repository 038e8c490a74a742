const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/**
 * Whether a JSON text has more than `max` values, counting all levels. Callers ask before they parse the text, because
 * parsing many small values takes far longer than parsing one long string of the same length.
 */
export function hasMoreValues(json: string, max: number): boolean {
  return json.length > max && countValues(json) > max;
}

/** Counts the commas and opening brackets outside of strings, which is the number of values in valid JSON. */
export function countValues(json: string): number {
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === COMMA || char === OPEN_LIST || char === OPEN_OBJECT) values += 1;
    else if (char === QUOTE) at = endOfString(json, at);
  }
  return values;
}

/** The index of the quote that ends the string, or the length of the text if the string has no end. */
function endOfString(json: string, start: number): number {
  const quote = json.indexOf('"', start + 1);
  if (quote < 0 || json.charCodeAt(quote - 1) !== BACKSLASH) return quote < 0 ? json.length : quote;
  for (let at = start + 1; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) at += 1;
  }
  return json.length;
}
