import { expect, test } from 'vitest';
import { merged, replace } from '../../src/redact/spans.js';
import { Text } from '../../src/redact/text.js';

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
])('The spans %j are %j in order, each character in one of them', (given, expected) => {
  expect(merged(given)).toEqual(expected);
});

test.each(['abcdef', 'äbcdéf', 'a€cde\u200b', '\ud83d\ude00cdef'])(
  'The spans of %j are replaced, be they few or many, whatever it is written in',
  (part) => {
    const expected = `[-]${part.slice(1, 3)}[-]${part.slice(5)}`;
    for (const times of [1, 16, 17, 100]) {
      const spans = Array.from({ length: times }, (_, index) => [0, 1, 3, 5].map((at) => at + index * 6)).flat();
      expect(replace(new Text(part.repeat(times)), spans, '[-]')).toBe(expected.repeat(times));
    }
    expect(replace(new Text(part), [0, 6], '')).toBe('');
  },
);
