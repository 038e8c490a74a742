import { expect, test } from 'vitest';
import { createRedactor } from '../../src/redactor.js';
import { OwnWords } from '../../src/scanning/own-words.js';

const OURS = [
  'The last token: done',
  'Look for a copied file that is compiled as well',
  'Set password=swordfish in the file and try again',
  'Name the feed: "token": "abcdefghij"',
  'short',
  'token:abcdefghijklmnop',
];
const ownWords = new OwnWords();
ownWords.add(OURS);
const { text, value } = createRedactor({ secrets: ['configured value'], ownWords });
const withoutOwnWords = createRedactor({ secrets: ['configured value'] });

test.each([
  'The last token: done',
  'Error: x\n  Hint: The last token: done\n  Fix: y',
  'password: Look for a copied file that is compiled as well',
  'password:\n  Look for a copied file that is compiled as well',
  'Set password=swordfish in the file and try again',
  '"Set password=swordfish in the file and try again"',
  'Look for a copied file that is compiled as well; The last token: done',
])('%j stays, of which without our words something is hidden', (ours) => {
  expect(text(ours)).toBe(ours);
  expect(text(JSON.stringify({ ours }))).toBe(JSON.stringify({ ours }));
  expect(value({ list: [ours] })).toEqual({ list: [ours] });
});

test('our words with quotes stay, unless they are escaped', () => {
  expect(text('Name the feed: "token": "abcdefghij"')).toBe('Name the feed: "token": "abcdefghij"');
});

test('the rows above are hidden in part by the detectors alone', () => {
  expect(withoutOwnWords.text('The last token: done')).toBe('The last token: [REDACTED]');
  expect(withoutOwnWords.text('password: Look for a copied file')).toBe('password: [REDACTED] for a copied file');
});

test.each([
  ['a value that continues where our words end', 'The last token: done5ecret'],
  ['a value before our words', 'token: hunter2xyz The last token: done', 'token: [REDACTED] The last token: done'],
  ['a value behind our words', 'The last token: done password=hunter2xyz', 'The last token: done password=[REDACTED]'],
  ['our words around a value', 'Set password=hunter2xyz in the file and try again'],
  ['our words with a value put between', 'Set password=swordfish hunter2 token=abc123 in the file and try again'],
  ['a part of our words', 'Set password=swordfish in the file'],
  ['our words in another case', 'The last token: DONE'],
  ['one word', 'password=short'],
  ['a text without a blank', 'token:abcdefghijklmnop'],
  ['a value that our words are a part of', 'password="xThe last token: done"'],
])('still hidden: %s', (_, input, redacted = withoutOwnWords.text(input)) => {
  expect(redacted).toContain('[REDACTED]');
  expect(text(input)).toBe(redacted);
  expect(text(input)).not.toMatch(/hunter2xyz|5ecret/);
});

test('a secret of the configuration, a marked one and a string under a secret key are hidden even in our words', () => {
  const words = new OwnWords();
  words.add(['This is a configured value of ours', 'The last token: done']);
  const redactor = createRedactor({ secrets: ['configured value'], ownWords: words });
  expect(redactor.text('This is a configured value of ours')).toBe('This is a [REDACTED] of ours');
  expect(redactor.text('The last token: \uFDD0done\uFDD1')).toBe('The last token: [REDACTED]');
  expect(redactor.value({ password: 'The last token: done' })).toEqual({ password: '[REDACTED]' });
});

test.each([
  'The last token: done ',
  'Set password=swordfish in the file and try agai',
  'password=Look ',
  'token: The ',
])('200,000 characters of %j end within the deadline', (unit) => {
  expect(text(unit.repeat(200_000 / unit.length)).length).toBeGreaterThan(0);
});
