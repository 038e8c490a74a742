// Lines of Markdown have at most 120 characters, so that a diff shows which sentence changed.
// Tables, code blocks and the address in <https://…> do not count, because they cannot be broken.
// Exits with 1 and names each line that is longer.
// `node scripts/check-line-lengths.mjs [folder]`: another folder, for its test.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linesOutsideFences } from './markdown-lines.mjs';

const MAX_CHARS = 120;
const TABLE_ROW = /^\s*\|/;
const ADDRESS = /<https?:[^>\s]*>/g;

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const { stdout, status } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'], {
  cwd: root,
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`git ls-files failed in ${root}`);
const files = stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)));

for (const file of files) {
  for (const { lineNumber, length } of longLines(readFileSync(join(root, file), 'utf8'))) {
    console.error(`${file}:${lineNumber}: the line has ${length} characters; at most ${MAX_CHARS} are allowed`);
    process.exitCode = 1;
  }
}

function longLines(text) {
  return linesOutsideFences(text)
    .filter(({ line }) => !TABLE_ROW.test(line))
    .map(({ line, lineNumber }) => ({ lineNumber, length: [...line.replaceAll(ADDRESS, '<>')].length }))
    .filter(({ length }) => length > MAX_CHARS);
}
