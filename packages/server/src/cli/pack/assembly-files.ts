import { existsSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { isJsonObject } from '@mortise/plugin/runtime';
import { readTextFile } from '../../util/read-text-file.js';
import { entriesOf } from './package-under-check.js';

const MAX_DEPS_BYTES = 8 * 1024 * 1024;

/**
 * Returns the files that an assembly needs when it runs, if they are in its folder: the assembly, its `.deps.json`, and
 * the assemblies, resources and platform-specific files that the `.deps.json` names. Paths are relative to `root`.
 */
export function assemblyFiles(root: string, entry: string): string[] {
  const deps = entry.replace(/\.dll$/i, '.deps.json');
  const ownFiles = [entry, deps].map((file) => relative(root, file).split(sep).join('/'));
  return [...new Set([...ownFiles, ...filesNamedIn(deps)])].filter((file) => existsSync(join(root, file)));
}

function filesNamedIn(deps: string): string[] {
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
