/** The characters that are counted for each part of a value, in addition to those of its texts and keys. */
interface Costs {
  readonly key: number;
  readonly item: number;
  readonly text: number;
  /** A number, a boolean or null. */
  readonly scalar: number;
  readonly container: number;
}

const COSTS = {
  /** The costs of typical values. */
  about: { key: 4, item: 1, text: 2, scalar: 5, container: 0 },
  /** An upper bound: a text has quotes and a comma, the longest number 24 characters and a comma. */
  atMost: { key: 4, item: 0, text: 3, scalar: 25, container: 3 },
} as const satisfies Record<string, Costs>;

/**
 * Estimates the length of a value as JSON without making the JSON. Escapes are not counted.
 * @param limit counting stops above this length
 * @param precision `about` for an estimate, `atMost` for an upper bound
 */
export function estimateJsonSize(value: unknown, limit: number, precision: keyof typeof COSTS = 'about'): number {
  const costs: Costs = COSTS[precision];
  let size = 0;
  const stack: object[] = [];
  const count = (part: unknown) => {
    if (typeof part === 'string') size += part.length + costs.text;
    else if (typeof part !== 'object' || part === null) size += costs.scalar;
    else stack.push(part);
  };
  count(value);
  for (let next = stack.pop(); next !== undefined && size <= limit; next = stack.pop()) {
    size += costs.container;
    if (Array.isArray(next)) {
      size += next.length * costs.item;
      for (const item of next) count(item);
    } else {
      for (const key of Object.keys(next)) {
        size += key.length + costs.key;
        count((next as Record<string, unknown>)[key]);
      }
    }
  }
  return size;
}

/** Counts the values in a value, and the characters of their texts and keys. Stops at about `limit` values. */
export function sizeOf(root: unknown, limit: number): { values: number; chars: number } {
  let values = 0;
  let chars = 0;
  const stack: unknown[] = [root];
  while (stack.length > 0 && values <= limit) {
    const value = stack.pop();
    values += 1;
    if (typeof value === 'string') chars += value.length;
    else if (Array.isArray(value)) for (const item of value) stack.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) {
        chars += key.length;
        stack.push((value as Record<string, unknown>)[key]);
      }
    }
  }
  return { values, chars };
}
