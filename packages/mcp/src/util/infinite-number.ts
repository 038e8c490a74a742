/**
 * Matches every text that may have a number that is too large for a double. Such a number has an exponent of at least
 * three digits, or, with an exponent of at most 99, more than 200 digits in a row. A match starts only at the start of a
 * run of digits, so that the search is linear.
 */
const LARGE_NUMBER = /(?<!\d)\d{3}(?:(?<=[eE]\+?\d{3})|\d{197})/;

/**
 * True if the JSON has a number that is too large for a double.
 * @param value the result of JSON.parse for the text
 */
export function hasInfiniteNumber(json: string, value: unknown): boolean {
  if (!LARGE_NUMBER.test(json)) return false;
  const stack = [value];
  while (stack.length > 0) {
    const item = stack.pop();
    if (typeof item === 'number' && !Number.isFinite(item)) return true;
    if (typeof item === 'object' && item !== null) for (const member of Object.values(item)) stack.push(member);
  }
  return false;
}
