import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../../src/json/diff-lines.js';

const marked = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

describe('the lines of two texts', () => {
  it('are marked where they differ', () => {
    expect(marked('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
    expect(marked('a', 'a')).toEqual([' a']);
  });

  it('give back both texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
        expect(without('added').join('\n')).toBe(before);
        expect(without('removed').join('\n')).toBe(after);
      }),
    );
  });
});
