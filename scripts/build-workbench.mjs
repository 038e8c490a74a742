// Builds packages/workbench into packages/server/workbench, unless what is there was made of the same sources.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
  'packages/server/src/cli/shared/client-entries.ts',
  'packages/server/src/core/page-names.ts',
  'packages/mcp/src/protocol',
  'packages/mcp/src/json-rpc',
  'package-lock.json',
  'scripts/build-workbench.mjs',
];

/** What Vite puts into the assets. */
const BUNDLED = ['preact', '@preact/signals', '@preact/signals-core', '@cfworker/json-schema', 'diff'];

const hashFile = join(output, 'sources.sha256');
const hash = hashOfSources();
if (readIfThere(hashFile) !== hash) {
  await build({ configFile: join(root, 'packages/workbench/vite.config.mjs') });
  writeFileSync(join(output, 'THIRD-PARTY-LICENSES.txt'), BUNDLED.map(licenceOf).join('\n\n'));
  writeFileSync(hashFile, hash);
}

/** The name and version of a package, with its licence. */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}`;
}

function hashOfSources() {
  const digest = createHash('sha256');
  for (const file of SOURCES.flatMap(filesIn).sort()) digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  return digest.digest('hex');
}

function filesIn(source) {
  if (statSync(join(root, source)).isFile()) return [source];
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
