/**
 * Finds every text that may have a number larger than a double: its exponent has three digits, or it has 200 digits in a
 * row, because with an exponent of at most 99 it needs 210. A match starts only where a run of digits starts, so that the
 * search is linear.
 */
const LARGE_NUMBER = /(?<!\d)\d{3}(?:(?<=[eE]\+?\d{3})|\d{197})/;

/**
 * Whether the JSON has a number that is larger than a double can hold.
 * @param value what JSON.parse has made of the text
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
