import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdMap } from '../../src/util/id-map.js';

const id = fc.oneof(
  // They meet in one slot, however many there are.
  fc.integer({ min: 0, max: 3 }).map((times) => times * 65_536),
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom('1', '-1', '', '__proto__', 'constructor', '"1'),
  fc.maxSafeInteger(),
);
const step = fc.record({ doing: fc.constantFrom('set', 'delete'), id, value: fc.string() });

describe('a table by id', () => {
  it('holds what a Map would hold', () => {
    fc.assert(
      fc.property(fc.array(step), fc.array(id), (steps, ids) => {
        const table = new IdMap<string>();
        const map = new Map<string | number, string>();
        for (const { doing, id, value } of steps) {
          if (doing === 'delete') expect(table.delete(id)).toBe(map.delete(id));
          else {
            table.set(id, value);
            map.set(id, value);
          }
        }
        expect(table.size).toBe(map.size);
        expect(table.values().sort()).toEqual([...map.values()].sort());
        for (const item of [...ids, ...map.keys()]) {
          expect([table.has(item), table.get(item)]).toEqual([map.has(item), map.get(item)]);
        }
      }),
    );
  });
});
