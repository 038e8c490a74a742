import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FileText, writeTextFiles } from '../../src/changes/text-files.js';
import { WriteJournal } from '../../src/changes/write-journal.js';

let folder: string;
let journalFolder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'text-files-'));
  journalFolder = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(async () => {
  // Each change ends its journal.
  expect(await readdir(journalFolder)).toEqual([]);
  for (const one of [folder, journalFolder]) await rm(one, { recursive: true });
});

const write = (files: FileText[]) => writeTextFiles(files, new WriteJournal(journalFolder));

const at = (name: string) => join(folder, name);
const textOf = (name: string) => readFile(at(name), 'utf8');

async function file(name: string, before: string | Buffer, text: string) {
  await writeFile(at(name), before);
  return { path: at(name), hash: createHash('sha256').update(before).digest('hex'), text };
}

describe('writeTextFiles', () => {
  it('writes all files with their encoding and mode, new ones and moved ones too', async () => {
    const marked = await file('A.cs', '\uFEFFclass A;\r\n', 'class B;\r\n');
    await chmod(at('A.cs'), 0o600);
    const wide = await file('W.cs', Buffer.from('\uFEFFé', 'utf16le'), 'ß');
    const moved = { ...(await file('Old.cs', 'old', 'new')), newPath: at('New.cs') };
    await write([marked, wide, moved, { path: at('Sub/Added.cs'), text: 'added' }]);
    expect(await textOf('A.cs')).toBe('\uFEFFclass B;\r\n');
    expect((await stat(at('A.cs'))).mode & 0o777).toBe(0o600);
    expect(await readFile(at('W.cs'))).toEqual(Buffer.from('\uFEFFß', 'utf16le'));
    expect([await textOf('New.cs'), await textOf('Sub/Added.cs')]).toEqual(['new', 'added']);
    expect((await readdir(folder)).sort()).toEqual(['A.cs', 'New.cs', 'Sub', 'W.cs']);
  });

  it('changes only the letter case of a name', async () => {
    await write([{ ...(await file('cart.cs', 'a', 'b')), newPath: at('Cart.cs') }]);
    expect(await textOf('Cart.cs')).toBe('b');
  });

  it('writes nothing if one of the files has changed or cannot be read', async () => {
    const first = await file('A.cs', 'a', 'b');
    const changed = await file('B.cs', 'a', 'b');
    await writeFile(at('B.cs'), 'edited');
    await expect(write([first, changed])).rejects.toMatchObject({ reason: 'changed meanwhile' });
    const unknown = await file('C.cs', Buffer.from([0xff, 0x41]), 'b');
    await expect(write([first, unknown])).rejects.toMatchObject({ reason: 'unsupported encoding' });
    const taken = { path: at('B.cs'), text: 'new' };
    await expect(write([first, taken])).rejects.toMatchObject({ reason: 'changed meanwhile' });
    expect([await textOf('A.cs'), await textOf('B.cs')]).toEqual(['a', 'edited']);
    expect((await readdir(folder)).sort()).toEqual(['A.cs', 'B.cs', 'C.cs']);
  });

  it('puts back what it has replaced if a later file cannot be replaced', async () => {
    const first = await file('A.cs', 'a', 'b');
    const moved = { ...(await file('Old.cs', 'old', 'new')), newPath: at('New.cs') };
    const added = { path: at('Added.cs'), text: 'added' };
    // The second edit of a file fails, because the first one has changed it by then.
    const writing = write([first, moved, added, { ...first, text: 'c' }]);
    await expect(writing).rejects.toMatchObject({ reason: 'changed meanwhile' });
    expect([await textOf('A.cs'), await textOf('Old.cs')]).toEqual(['a', 'old']);
    expect((await readdir(folder)).sort()).toEqual(['A.cs', 'Old.cs']);
  });
});
