import { expect, test } from 'vitest';
import { merged, replace } from '../../src/scanning/spans.js';

test.each([
  [[], []],
  [
    [0, 2, 3, 4],
    [0, 2, 3, 4],
  ],
  [
    [3, 4, 0, 2],
    [0, 2, 3, 4],
  ],
  [
    [0, 3, 3, 5],
    [0, 5],
  ],
  [
    [2, 9, 0, 1, 3, 4],
    [0, 1, 2, 9],
  ],
])('The spans %j are %j in order, each character in one of them', (input, expected) => {
  expect([...merged(input)]).toEqual(expected);
});

test.each(['abcdef', 'äbcdéf', 'a€cde\u200b', '\ud83d\ude00cdef'])(
  'The spans of %j are replaced, be they few or many, whatever it is written in',
  (part) => {
    const expected = `[-]${part.slice(1, 3)}[-]${part.slice(5)}`;
    for (const times of [1, 16, 17, 100]) {
      const spans = Array.from(
        { length: times * 4 },
        (_, index) => [0, 1, 3, 5][index % 4]! + 6 * Math.floor(index / 4),
      );
      expect(replace(part.repeat(times), spans, '[-]')).toBe(expected.repeat(times));
    }
    expect(replace(part, [0, 6], '')).toBe('');
  },
);
