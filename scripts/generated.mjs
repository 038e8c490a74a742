import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes a generated file of the repository. With --check: exits with 1 when the file differs from what it would write. */
export function generated(path, text) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (process.argv.includes('--check')) {
    if (readIfThere(file) === text) return;
    console.error(`${path} is not up to date. Run npm run generate.`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
