import { existsSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { isJsonObject } from '@mortise/plugin/runtime';
import { readTextFile } from '../../util/read-text-file.js';
import { entriesOf } from './package-under-check.js';

const MAX_DEPS_BYTES = 8 * 1024 * 1024;

/**
 * The files that an assembly needs when it runs, as far as they are in its folder: itself, its `.deps.json`, and what that
 * names: assemblies of packages, their resources, and what is for one platform each. Relative to `root`.
 */
export function assemblyFiles(root: string, entry: string): string[] {
  const deps = entry.replace(/\.dll$/i, '.deps.json');
  const own = [entry, deps].map((file) => relative(root, file).split(sep).join('/'));
  return [...new Set([...own, ...namedIn(deps)])].filter((file) => existsSync(join(root, file)));
}

function namedIn(deps: string): string[] {
  const content = readTextFile(deps, MAX_DEPS_BYTES);
  if (content.kind !== 'text') return [];
  let targets: unknown;
  try {
    ({ targets } = JSON.parse(content.text));
  } catch {
    return [];
  }
  const libraries = entriesOf(targets).flatMap(([, target]) => entriesOf(target).map(([, library]) => library));
  return libraries
    .filter(isJsonObject)
    .flatMap(({ runtime, resources, runtimeTargets }) => [
      ...entriesOf(runtime).map(([path]) => basename(path)),
      ...entriesOf(resources).map(([path, value]) => `${isJsonObject(value) ? value.locale : ''}/${basename(path)}`),
      ...entriesOf(runtimeTargets).map(([path]) => path),
    ]);
}
