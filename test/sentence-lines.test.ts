import { expect, it } from 'vitest';
import { sentenceLines } from '../scripts/sentence-lines.mjs';

it('writes each sentence on a line of its own', () => {
  expect(sentenceLines('One is here. `two` follows (it does!) And [three](a.md). Is it? Yes')).toBe(
    'One is here.\n`two` follows (it does!)\nAnd [three](a.md).\nIs it?\nYes',
  );
});

it('goes on after a point that ends no sentence', () => {
  const text = 'Write net10.0 or .NET 10, e.g. net8.0, in `a. B`';
  expect(sentenceLines(text)).toBe(text);
});

it('breaks a sentence of more than 120 characters at a word, but neither code nor a link', () => {
  const code = `\`${'a '.repeat(40)}\``;
  const text = sentenceLines(`${'word '.repeat(10)}${code} [${'some words '.repeat(5)}](page.md) end`, '  ');
  expect(text.split('\n')).toEqual([
    'word word word word word word word word word word',
    `  ${code}`,
    `  [${'some words '.repeat(5)}](page.md) end`,
  ]);
});
