import { expect, test } from 'vitest';
import { Text } from '../../src/redact/text.js';

test.each([1, 100, 32_768, 32_769, 100_000])('The codes of %i characters are those of the string', (chars) => {
  const given = 'aZ\u00e9\u20ac\ud83d'.repeat(chars / 5 + 1).slice(0, chars);
  const { codes, length } = new Text(given);
  expect(length).toBe(chars);
  expect([...codes.subarray(0, chars)]).toEqual(Array.from({ length: chars }, (_, at) => given.charCodeAt(at)));
});
