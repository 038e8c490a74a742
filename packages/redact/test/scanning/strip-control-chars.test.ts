import { expect, test } from 'vitest';
import { createUnsafeRedactor } from '../../src/redactor.js';
import { stripControls } from '../../src/scanning/strip-control-chars.js';

const ROWS: Record<string, readonly [input: string, clean: string]> = {
  'CSI sequences': ['\x1b[1;31mred\x1b[0m \x1b[?25l\x1b[2Kx', 'red x'],
  '8-bit CSI': ['\x9b31mred\x9b0m', 'red'],
  '8-bit sequences in strings of JSON': ['{"\x9b":"a\x9b\\"","\x9d":"\x9c"}', '{"":"a\\"","":""}'],
  'a cut CSI sequence': ['x\x1b[31', 'x'],
  hyperlinks: ['\x1b]8;;https://user:pw@example.com\x1b\\text\x1b]8;;\x07', 'text'],
  titles: ['\x1b]0;title\x07x\x9d0;title\x9cy', 'xy'],
  'an OSC without end': ['\x1b]0;title\nnext', '0;title\nnext'],
  'DCS, PM, APC': ['a\x1bPq#0\x1b\\b\x1b^x\x1b\\c\x1b_y\x1b\\d', 'abcd'],
  'other escapes': ['a\x1b(B\x1b7\x1bcb\x1b', 'ab'],
  'control characters': ['a\x00\x07\x08\x0b\x0c\x1f\x7f\x85b', 'ab'],
  'TAB, LF and CR, which stay': ['a\tb\r\nc', 'a\tb\r\nc'],
  'text beyond ASCII, which stays': ['žluťoučký 😀 \u200d ¡', 'žluťoučký 😀 \u200d ¡'],
};

test.each(Object.entries(ROWS))('%s', (_, [input, clean]) => {
  expect(stripControls(input)).toBe(clean);
});

test('The redactor for unsafe output strips and hides nothing', () => {
  const redactor = createUnsafeRedactor();
  expect(redactor.text('\x1b[31mpassword=abc\x07')).toBe('password=abc');
  expect(redactor.value({ password: 'a\x07b', 'k\x07': ['\x1b[1mx'] })).toEqual({ password: 'ab', k: ['x'] });
});
