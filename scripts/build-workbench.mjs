// Builds packages/workbench into packages/server/workbench, unless what is there was made of the same sources.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'packages/server/workbench');
/** All that the page is made of; the lockfile has the versions of the tools and libraries. */
const SOURCES = [
  'packages/workbench/src',
  'packages/workbench/index.html',
  'packages/workbench/vite.config.mjs',
  'packages/redact/src',
  'package-lock.json',
];

const hashFile = join(output, 'sources.sha256');
const hash = hashOfSources();
if (readIfThere(hashFile) !== hash) {
  await build({ configFile: join(root, 'packages/workbench/vite.config.mjs') });
  writeFileSync(hashFile, hash);
}

function hashOfSources() {
  const digest = createHash('sha256');
  for (const file of SOURCES.flatMap(filesIn).sort()) digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  return digest.digest('hex');
}

function filesIn(source) {
  if (!source.endsWith('src')) return [source];
  const entries = readdirSync(join(root, source), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length));
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
