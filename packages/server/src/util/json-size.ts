/** The approximate number of characters of a value as JSON; counting stops above `limit`. */
export function estimateJsonSize(value: unknown, limit: number): number {
  let size = 0;
  const stack: unknown[] = [value];
  while (stack.length > 0 && size <= limit) {
    const next = stack.pop();
    if (typeof next === 'string') size += next.length + 2;
    else if (typeof next !== 'object' || next === null) size += 5;
    else {
      for (const key of Object.keys(next)) {
        size += Array.isArray(next) ? 1 : key.length + 4;
        stack.push((next as Record<string, unknown>)[key]);
      }
    }
  }
  return size;
}
