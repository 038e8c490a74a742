/** Only a text with such digits can have a number that is larger than a double. */
const LARGE_NUMBER = /[eE]\+?\d{3}|\d{300}/;

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
