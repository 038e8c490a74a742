import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTextFile } from '../../src/util/read-text-file.js';
import { Sandbox } from '../settings/sandbox.js';

test.each([
  ['UTF-8', Buffer.from('grün')],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFgrün')],
  ['UTF-16 as PowerShell writes it', Buffer.from('\uFEFFgrün', 'utf16le')],
  ['UTF-16, big end first', Buffer.from('\uFEFFgrün', 'utf16le').swap16()],
])('%s is read as text', (_, bytes) => {
  const file = new Sandbox().write('a.txt', bytes);
  expect(readTextFile(file, 1000)).toEqual({ kind: 'text', text: 'grün' });
});

test('bytes that are not text are refused', () => {
  const file = new Sandbox().write('a.txt', Buffer.from([0x61, 0xff, 0x62]));
  expect(readTextFile(file, 1000)).toEqual({ kind: 'unreadable', why: 'it is not UTF-8 text' });
});

test('a file may be as large as the limit and no larger', () => {
  const file = new Sandbox().write('a.txt', 'x'.repeat(100_000));
  expect(readTextFile(file, 100_000)).toMatchObject({ kind: 'text' });
  expect(readTextFile(file, 99_999)).toMatchObject({ kind: 'unreadable', why: 'it is larger than 99999 bytes' });
});

test('what is not there, no file, or no path is told apart', () => {
  const sandbox = new Sandbox();
  const { cwd } = sandbox;
  const file = sandbox.write('a.txt', 'x');
  expect(readTextFile(join(cwd, 'b.txt'), 10)).toEqual({ kind: 'missing' });
  expect(readTextFile(join(file, 'b.txt'), 10)).toEqual({ kind: 'missing' });
  expect(readTextFile(cwd, 10)).toEqual({ kind: 'unreadable', why: 'it is a folder' });
  expect(readTextFile('a\0b', 10)).toEqual({ kind: 'unreadable', why: 'the path holds a NUL character' });
  symlinkSync('loop', join(cwd, 'loop'));
  expect(readTextFile(join(cwd, 'loop'), 10)).toMatchObject({ kind: 'unreadable' });
});

test.skipIf(process.platform === 'win32')('a device without an end is given up at the limit', () => {
  expect(readTextFile('/dev/zero', 1000)).toMatchObject({ kind: 'unreadable' });
});
