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

/** The same of a part of a page, as in `docs/page.md#part`: what is between `<!-- part:begin -->` and `<!-- part:end -->`. */
export function generatedPart(target, text) {
  const [path, name] = target.split('#');
  const page = readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
  const begin = `<!-- ${name}:begin -->`;
  const [from, to] = [page.indexOf(begin), page.indexOf(`<!-- ${name}:end -->`)];
  if (from < 0 || to < from) throw new Error(`${path} lacks ${begin} and its end`);
  generated(path, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
