import { expect, it } from 'vitest';
import { CATALOG_CODES, findCode, ownTexts } from '../../packages/dotnet/src/advice/codes/code-catalog.js';
import { ERROR_CODES } from '../../packages/plugin/src/error-codes.js';
import { createRedactor } from '../../packages/redact/src/redactor.js';
import { OwnWords } from '../../packages/redact/src/scanning/own-words.js';

const redactor = createRedactor({ secrets: [] });

/** Every text of a value, at any depth. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

it.each([
  ['dictionary of the toolchain', CATALOG_CODES.map((code) => findCode(code))],
  ['table of error codes', Object.entries(ERROR_CODES)],
])('redaction spares every text of the %s, alone and under its key', (_, entries) => {
  const texts = entries.flatMap(textsOf);
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter((text) => redactor.text(text) !== text)).toEqual([]);
  expect(redactor.value(entries)).toEqual(entries);
});

it('still hides what was inserted between such words', () => {
  const text = 'Give credentials: dotnet nuget update source feed --username me --password hunter2xyz';
  expect(redactor.text(text)).toBe(text.replace('hunter2xyz', '[REDACTED]'));
});

it('spares the texts of the dictionary also where they follow the name of a secret, and nothing but them', () => {
  const ownWords = new OwnWords();
  ownWords.add(ownTexts());
  const { text } = createRedactor({ secrets: [], ownWords });
  const long = ownTexts().filter((ownText) => ownText.length >= 16 && ownText.includes(' '));
  expect(long.length).toBeGreaterThan(500);
  const input = long.map((item) => `last token: ${item}`);
  expect(input.filter((item) => redactor.text(item) !== item).length).toBeGreaterThan(10);
  // In a text with quotes the value after the name ends at the quote, which is not the end of our text.
  const isQuoted = (item: string) => item.includes('PackagePath="\\"');
  expect(input.filter((item) => text(item) !== item && !isQuoted(item))).toEqual([]);
  expect(input.filter(isQuoted)).toHaveLength(2);
  for (const item of long) expect(text(`${item}\npassword=hunter2xyz\n${item}`)).not.toContain('hunter2xyz');
});
