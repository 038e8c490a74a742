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
  'The spans of %j are replaced, whatever it is written in',
  (given) => {
    expect(replace(new Text(given), [0, 1, 3, 5], '[-]')).toBe(`[-]${given.slice(1, 3)}[-]${given.slice(5)}`);
    expect(replace(new Text(given), [0, 6], '')).toBe('');
  },
);
