// Lines of Markdown have at most 120 characters, so that a diff shows which sentence changed.
// Tables, code blocks and the address in <https://…> do not count, because they cannot be broken.
// Exits with 1 and names each line that is longer.
// `node scripts/check-line-lengths.mjs [folder]`: another folder, for its test.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_CHARS = 120;
const FENCE = /^[\s>]*(?:[-*]\s+)?(`{3,}|~{3,})/;
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
  const found = [];
  let fence;
  for (const [index, line] of text.split('\n').entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    const length = [...line.replaceAll(ADDRESS, '<>')].length;
    const isExempt = fence !== undefined || TABLE_ROW.test(line);
    if (!isExempt && length > MAX_CHARS) found.push({ lineNumber: index + 1, length });
  }
  return found;
}
