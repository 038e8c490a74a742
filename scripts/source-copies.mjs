// Writes the source files that are in two packages: the second one cannot import the first. With --check: exits with 1 when a copy
// differs.
import { readFileSync } from 'node:fs';
import { generated } from './generated.mjs';

/** The folder of the original, that of the copy, and the files. */
const COPIES = [
  // The page is built without the sources of the server.
  ['packages/server/src/cli/shared', 'packages/workbench/src/view', ['client-entries.ts']],
];

for (const [from, to, names] of COPIES) {
  for (const name of names) {
    const text = readFileSync(new URL(`../${from}/${name}`, import.meta.url), 'utf8');
    generated(`${to}/${name}`, `// Written by scripts/source-copies.mjs from ${from}/${name}; do not edit.\n${text}`);
  }
}
