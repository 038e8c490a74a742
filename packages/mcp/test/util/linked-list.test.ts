import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Linked, LinkedList } from '../../src/util/linked-list.js';

class Item implements Linked<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

describe('LinkedList', () => {
  it('has the items that were added and not removed, in their order', () => {
    const steps = fc.array(fc.record({ isAdd: fc.boolean(), at: fc.nat(9) }));
    fc.assert(
      fc.property(steps, (all) => {
        const items = Array.from({ length: 10 }, () => new Item());
        const list = new LinkedList<Item>();
        const expected: Item[] = [];
        for (const { isAdd, at } of all) {
          const item = items[at]!;
          const found = expected.indexOf(item);
          if (isAdd && found < 0) {
            list.add(item);
            expected.push(item);
          } else if (!isAdd) {
            expect(list.remove(item)).toBe(found >= 0);
            if (found >= 0) expected.splice(found, 1);
          }
          expect(list.values()).toEqual(expected);
          expect(list.size).toBe(expected.length);
          expect(list.first).toBe(expected[0]);
        }
      }),
    );
  });
});
