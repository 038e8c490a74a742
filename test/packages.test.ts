import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/workplace.js';

interface Manifest {
  readonly bin?: Record<string, string>;
  readonly exports?: unknown;
  readonly files: readonly string[];
  readonly workspaces: readonly string[];
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));

/** The paths in `exports`, whatever its conditions. */
const pathsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(pathsIn);

// packed.slow.test.ts packs, installs and runs them.
it.each(manifestOf('.').workspaces)('%s has every file that its package.json names, and publishes it', (folder) => {
  const { bin = {}, exports, files } = manifestOf(folder);
  const paths = [...Object.values(bin), ...pathsIn(exports)].map((path) => path.replace(/^\.\//, ''));
  expect(paths).not.toEqual([]);
  expect(paths.filter((path) => !path.includes('*') && !existsSync(join(ROOT, folder, path)))).toEqual([]);
  const isPublished = (path: string) =>
    path === 'package.json' || files.some((entry) => path === entry || path.startsWith(`${entry.replace(/\/$/, '')}/`));
  expect(paths.filter((path) => !isPublished(path))).toEqual([]);
});
