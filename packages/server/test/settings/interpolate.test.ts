// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { expect, test } from 'vitest';
import { interpolate } from '../../src/settings/interpolate.js';

const env: Record<string, string> = { USER: 'ada', TOKEN: 'tok$1-$&', EMPTY: '', NESTED: '${env:USER}' };
const files: Record<string, string> = { 'key.txt': 'secret\r\n\n', 'two.txt': 'a\nb\n' };
const sources = {
  env: (name: string) => env[name],
  file: (path: string) => (path in files ? { text: files[path]! } : { why: 'there is no such file' }),
};

test.each([
  ['nothing to do', 'nothing to do', []],
  ['${env:USER}', 'ada', ['ada']],
  ['a ${env:USER} b ${file:key.txt} c', 'a ada b secret c', ['ada', 'secret']],
  ['${env:TOKEN}', 'tok$1-$&', ['tok$1-$&']],
  ['${env:EMPTY}', '', ['']],
  ['${file:two.txt}', 'a\nb', ['a\nb']],
  ['${env:NESTED}', '${env:USER}', ['${env:USER}']],
  ['$${env:USER}', '${env:USER}', []],
  ['$$${env:USER}', '$${env:USER}', []],
  ['${longdate} ${level:x}', '${longdate} ${level:x}', []],
  ['$5 and {env:USER}', '$5 and {env:USER}', []],
])('%j becomes %j', (text, expected, fetched) => {
  expect(interpolate(text, sources)).toEqual({ text: expected, fetched, problems: [] });
});

test.each([
  ['${env:NOPE}', '${env:NOPE} names an environment variable that is not set.'],
  ['${env:}', '${env:} names an environment variable that is not set.'],
  ['${file:nope}', '${file:nope} cannot be read: there is no such file.'],
  ['${file:}', '${file:} cannot be read: no path is given.'],
  ['${env:USER', 'a reference is not closed: } is missing.'],
])('%j is a problem: %s', (text, message) => {
  const { problems } = interpolate(text, sources);
  expect(problems).toEqual([{ message, hint: expect.stringMatching(/\w/) }]);
});

test('every reference that cannot be fetched is reported', () => {
  expect(interpolate('${env:A} ${env:USER} ${file:b}', sources).problems).toHaveLength(2);
});

test('a long text of openings ends soon: in time that grows with the square of its length it would take hours', () => {
  expect(interpolate('${env:'.repeat(1_000_000), sources).problems).toHaveLength(1);
  expect(interpolate('$${'.repeat(1_000_000), sources).problems).toEqual([]);
});
