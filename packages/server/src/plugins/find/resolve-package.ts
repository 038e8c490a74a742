import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';

/** The maximum for one plugin; further dependencies are not followed. */
const MAX_DEPENDENCIES = 300;
/** The most names that are looked for, installed or not: each costs a look into every folder above. */
const MAX_LOOKUPS = 10_000;
export const MAX_PACKAGE_BYTES = 1024 * 1024;

/** The `node_modules` folders that Node looks into for modules of `folder`, the nearest first, whether they exist or not. */
export function nodeModulesAbove(folder: string): string[] {
  const above = dirname(folder);
  const own = basename(folder) === 'node_modules' ? [] : [join(folder, 'node_modules')];
  return above === folder ? own : [...own, ...nodeModulesAbove(above)];
}

/** The folder of an installed package, as Node finds it from `folder` upward; links are not followed. */
export function resolvePackage(name: string, folder: string): string | undefined {
  return nodeModulesAbove(folder)
    .map((modules) => join(modules, name))
    .find((path) => tryOs(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory());
}

/**
 * The package.json files of the installed packages that the package in `root` depends on, directly or not: they are
 * written again when one of them is updated.
 */
export function dependencyManifests(root: string): string[] {
  const found = new Set<string>();
  let lookups = 0;
  const folders = [tryOs(() => realpathSync(root)) ?? root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of dependenciesOf(join(folder, 'package.json'))) {
      lookups += 1;
      if (lookups > MAX_LOOKUPS) return [...found];
      const path = resolvePackage(name, folder);
      const manifest = path === undefined ? undefined : join(tryOs(() => realpathSync(path)) ?? path, 'package.json');
      if (manifest === undefined || found.has(manifest) || !existsSync(manifest)) continue;
      if (found.size >= MAX_DEPENDENCIES) return [...found];
      found.add(manifest);
      folders.push(dirname(manifest));
    }
  }
  return [...found];
}

function dependenciesOf(file: string): string[] {
  try {
    const json = JSON.parse(readRegularText(file, MAX_PACKAGE_BYTES));
    return [json.dependencies, json.optionalDependencies, json.peerDependencies].flatMap((group) =>
      Object.keys(group ?? {}),
    );
  } catch {
    // Problems of the plugin's own package.json are reported when it is loaded.
    return [];
  }
}
