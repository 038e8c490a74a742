import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTextFile, readTextFile, writeTextFile } from '../../src/project-files/text-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function fileOf(bytes: Buffer | string): Promise<string> {
  const path = join(folder, 'A.csproj');
  await writeFile(path, bytes);
  return path;
}

describe('writeTextFile', () => {
  it.each([
    ['utf-8', [], 'utf8'],
    ['utf-8 with BOM', [0xef, 0xbb, 0xbf], 'utf8'],
    ['utf-16le', [0xff, 0xfe], 'utf16le'],
  ] as const)('keeps %s', async (encoding, byteOrderMark, nodeEncoding) => {
    const bytes = (text: string) => Buffer.concat([Buffer.from(byteOrderMark), Buffer.from(text, nodeEncoding)]);
    const path = await fileOf(bytes('<a>é</a>\r\n'));
    const file = await readTextFile(path);
    expect(file).toMatchObject({ encoding, text: '<a>é</a>\r\n' });
    await writeTextFile(file, '<a>ß\u{1F600}</a>\r\n');
    expect(await readFile(path)).toEqual(bytes('<a>ß\u{1F600}</a>\r\n'));
  });

  it('keeps utf-16be', async () => {
    const bytes = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    const path = await fileOf(bytes('<a>é</a>'));
    const file = await readTextFile(path);
    expect(file.text).toBe('<a>é</a>');
    await writeTextFile(file, '<b/>');
    expect(await readFile(path)).toEqual(bytes('<b/>'));
  });

  it.each([
    ['bytes that are not UTF-8', Buffer.from('<a>\xe9</a>', 'latin1')],
    ['another declared encoding', Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a/>')],
  ])('refuses %s', async (_, bytes) => {
    await expect(readTextFile(await fileOf(bytes))).rejects.toMatchObject({ reason: 'unsupported encoding' });
  });

  it('keeps the mode and the symbolic link', async () => {
    const path = await fileOf('<a/>');
    await chmod(path, 0o640);
    const link = join(folder, 'Link.csproj');
    await symlink('A.csproj', link);
    await writeTextFile(await readTextFile(link), '<b/>');
    expect(await readFile(path, 'utf8')).toBe('<b/>');
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(['A.csproj', 'Link.csproj']);
  });

  it('writes nothing over what another program wrote meanwhile', async () => {
    const path = await fileOf('<a/>');
    const file = await readTextFile(path);
    await writeFile(path, '<b/>');
    await expect(writeTextFile(file, '<c/>')).rejects.toMatchObject({ reason: 'changed meanwhile' });
    expect(await readFile(path, 'utf8')).toBe('<b/>');
    expect(await readdir(folder)).toEqual(['A.csproj']);
  });

  it('says that a file or a folder in its place is not there', async () => {
    await expect(readTextFile(join(folder, 'no'))).rejects.toMatchObject({ reason: 'not found' });
    await expect(readTextFile(folder)).rejects.toMatchObject({ reason: 'not found' });
  });
});

describe('createTextFile', () => {
  it('makes the folders above, and never overwrites', async () => {
    const path = join(folder, 'a', 'b', 'global.json');
    await createTextFile(path, '{}');
    expect(await readFile(path, 'utf8')).toBe('{}');
    await expect(createTextFile(path, '[]')).rejects.toMatchObject({ reason: 'changed meanwhile' });
    expect(await readFile(path, 'utf8')).toBe('{}');
  });
});
