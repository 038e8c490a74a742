import { expect, test } from 'vitest';
import { BEYOND_ASCII, CHARS_BEYOND_END, Text } from '../../src/scanning/text.js';

const SIZES = [0, 1, 100, 32_768, 32_769, 100_000];
const PARTS = ['aZ~ \t', 'aZ\u00e9\u20ac\ud83d', '\u00e9', '\u7f16\u8bd1', '\ud83d\ude00'];
const CASES = SIZES.flatMap((chars) => PARTS.map((part) => [chars, part] as const));

test.each(CASES)('%i characters of %j: their codes, one for all beyond ASCII, and NUL behind them', (chars, part) => {
  const input = part.repeat(chars / part.length + 1).slice(0, chars);
  const { codes, length, isAscii } = new Text(input);
  const expected = Array.from({ length: chars }, (_, at) => Math.min(input.charCodeAt(at), BEYOND_ASCII));
  expect(length).toBe(chars);
  expect(isAscii).toBe(!expected.includes(BEYOND_ASCII));
  expect([...codes.subarray(0, chars)]).toEqual(expected);
  expect([...codes.subarray(chars, chars + CHARS_BEYOND_END)]).toEqual(Array(CHARS_BEYOND_END).fill(0));
});

test.each(['\u00e9', '\u7f16', '\ud83d\ude00', '\ud83d'])('One %j is seen wherever it is in a short text', (char) => {
  for (let before = 0; before < 8; before++) {
    for (let after = 0; after < 8; after++) {
      const { codes, isAscii } = new Text('a'.repeat(before) + char + 'a'.repeat(after));
      expect(isAscii).toBe(false);
      expect(codes[before]).toBe(BEYOND_ASCII);
    }
  }
});
