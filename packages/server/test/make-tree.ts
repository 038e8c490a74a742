import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterFile } from '../../../test/support/after-file.js';

/**
 * A new temporary folder with these files, by relative path; removed after the test file. Its own package.json, empty
 * unless given, keeps Node's search for one inside.
 */
export function makeTree(files: Readonly<Record<string, string | Buffer>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mortise-tree-')));
  afterFile(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'package.json': '{}', ...files })) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return root;
}
