import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EditedFiles } from '../../src/project-files/edited-files.js';

const root = mkdtempSync(join(tmpdir(), 'mortise-edited-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
function fileOf(text: string): string {
  const path = join(root, `${++count}.props`);
  writeFileSync(path, text);
  return path;
}

const BOM = '\uFEFF';

describe('EditedFiles', () => {
  it.each([
    ['a last line end that the command dropped', '<a>\n</a>\n', '<a>\n<b />\n</a>', '<a>\n<b />\n</a>\n'],
    ['no last line end that the command added', '<a>\n</a>', '<a>\n<b />\n</a>\n', '<a>\n<b />\n</a>'],
    ['CRLF, where all lines had it', '<a>\r\n</a>\r\n', '<a>\n<b />\n</a>\n', '<a>\r\n<b />\r\n</a>\r\n'],
    [
      'CRLF beside lines that the command added',
      '<a>\r\n</a>\r\n',
      '<a>\r\n<b />\n</a>\r\n',
      '<a>\r\n<b />\r\n</a>\r\n',
    ],
    [
      'a byte-order mark that the command dropped',
      `${BOM}<a>\n</a>\n`,
      '<a>\n<b />\n</a>\n',
      `${BOM}<a>\n<b />\n</a>\n`,
    ],
    ['no byte-order mark that the command added', '<a>\n</a>\n', `${BOM}<a>\n<b />\n</a>\n`, '<a>\n<b />\n</a>\n'],
    ['mixed line ends as the command left them', '<a>\r\n</a>\n', '<a>\r\n<b />\n</a>\n', '<a>\r\n<b />\n</a>\n'],
    ['all, of a file whose content is the same', `${BOM}<a />\r\n`, '<a />', `${BOM}<a />\r\n`],
  ])('gives a file back %s', async (_what, before, written, expected) => {
    const path = fileOf(before);
    const files = await EditedFiles.read([path]);
    writeFileSync(path, written);
    await files.changes();
    expect(readFileSync(path, 'utf8')).toBe(expected);
  });

  it('keeps the time of the command, since which the project may have been restored', async () => {
    const path = fileOf('<a>\n</a>\n');
    const files = await EditedFiles.read([path]);
    writeFileSync(path, '<a>\n<b />\n</a>');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    await files.changes();
    expect(statSync(path).mtimeMs).toBe(1_700_000_000_000);
  });

  it('names the lines that were changed since the last look, of each file', async () => {
    const [first, second, untouched] = [fileOf('<a>\n</a>\n'), fileOf('<c>\n'), fileOf('<d>\n')];
    const files = await EditedFiles.read([first, second, untouched, join(root, 'none.props')]);
    writeFileSync(first, '<a>\n<b />\n</a>\n');
    expect(await files.changes()).toEqual([{ file: first, line: 2, after: '<b />' }]);
    writeFileSync(second, '<e>\n');
    expect(await files.changes()).toEqual([{ file: second, line: 1, before: '<c>', after: '<e>' }]);
    expect(await files.changes()).toEqual([]);
  });

  it('leaves a file alone that the command did not write', async () => {
    const path = fileOf('<a>\n</a>');
    const { ino } = statSync(path);
    const files = await EditedFiles.read([path]);
    expect(await files.changes()).toEqual([]);
    expect(statSync(path).ino).toBe(ino);
  });
});
