import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** By the column of the table, the folder of bench/authors. */
const FOLDERS = { official: 'sdk', fastmcp: 'fastmcp', process: 'mortise' };
const PROGRAMS = {
  issues: 'a REST client with settings and pages',
  notes: 'a store with resources and updates',
  wizard: 'a wizard with three questions',
};
const BIOME = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

/** How long the source of a program is after formatting, without blank lines. */
export function sourceLength(folder, program) {
  const file = fileURLToPath(new URL(`../authors/${folder}/${program}.ts`, import.meta.url));
  const args = [BIOME, 'format', `--stdin-file-path=${file}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    input: readFileSync(file, 'utf8'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${file} cannot be formatted: ${stderr}`);
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  return { lines: lines.length, characters: lines.join('\n').length };
}

export const authors = {
  name: 'authors',
  table: 'authors',
  meanings: Object.entries(PROGRAMS).map(([program, what]) => [
    program,
    `The source of ${what}, after the formatter of this repository, without blank lines. \`test/authors.slow.test.ts\` makes the same checks with each.`,
  ]),
  async run() {
    const rows = Object.keys(PROGRAMS).flatMap((program) => {
      const lengths = Object.entries(FOLDERS).map(([column, folder]) => [column, sourceLength(folder, program)]);
      return ['lines', 'characters'].map((unit) => ({
        ...{ measure: program, way: 'source', unit },
        values: Object.fromEntries(lengths.map(([column, length]) => [column, length[unit]])),
      }));
    });
    return { rows };
  },
};
