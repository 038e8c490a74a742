import { expect, test } from 'vitest';
import { Text } from '../../src/scanning/text.js';
import { wordEnd, wordTable } from '../../src/scanning/word-table.js';

const table = wordTable(['to', 'token', 'a']);

test.each([
  ['to', 2],
  ['Token=', 5],
  ['a b', 1],
  ['TO1', 2],
  ['tok', -1],
  ['tokens', -1],
  ['1to', -1],
  ['t@', -1],
  ['', -1],
])('The word at the start of %j ends at %i', (text, end) => {
  expect(wordEnd(new Text(text), 0, table)).toBe(end);
});
