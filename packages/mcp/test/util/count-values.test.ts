import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countValues, hasMoreValues } from '../../src/util/count-values.js';

/** Members and items at all levels, and one for each list or object. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return Math.max(1, inner.length) + inner.reduce((sum: number, item) => sum + valuesOf(item), 0);
}

describe('the number of values of a JSON text', () => {
  it('is that of its members and items, whatever its strings hold', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('a,b', '["{', '\\"', '\\\\', '",["', '\\'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value, (message) => {
        const json = JSON.stringify(message);
        const values = valuesOf(message);
        expect([countValues(json), hasMoreValues(json, values), hasMoreValues(json, values - 1)]).toEqual([
          values,
          false,
          true,
        ]);
      }),
    );
  });

  it('ends with a string that has no end', () => {
    expect(countValues('["a,b')).toBe(1);
    expect(countValues('["a\\",b')).toBe(1);
  });
});
