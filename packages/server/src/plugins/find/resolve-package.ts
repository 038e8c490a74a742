import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { tryOs } from '../../util/ignore-os-errors.js';

/** Maximum number of dependencies of one plugin. Further ones are not followed. */
const MAX_DEPENDENCIES = 300;
/**
 * Maximum number of names that are resolved, installed or not, because each one is searched for in all parent folders.
 */
const MAX_LOOKUPS = 10_000;
/** The largest package.json that is read. */
export const MAX_PACKAGE_BYTES = 1024 * 1024;

/**
 * Returns the `node_modules` folders in which Node searches for modules of `folder`, the nearest first. They need not
 * exist.
 */
export function nodeModulesAbove(folder: string): string[] {
  const above = dirname(folder);
  const own = basename(folder) === 'node_modules' ? [] : [join(folder, 'node_modules')];
  return above === folder ? own : [...own, ...nodeModulesAbove(above)];
}

/** Returns the folder of an installed package as Node finds it from `folder` upward. Links are not resolved. */
export function resolvePackage(name: string, folder: string): string | undefined {
  return nodeModulesAbove(folder)
    .map((modules) => join(modules, name))
    .find((path) => tryOs(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory());
}

/**
 * Returns the package.json files of all installed packages that the package in `root` depends on, directly or
 * indirectly. An update of a package writes its package.json again.
 */
export function dependencyManifests(root: string): string[] {
  const manifests = new Set<string>();
  let lookups = 0;
  const folders = [tryOs(() => realpathSync(root)) ?? root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of dependenciesOf(join(folder, 'package.json'))) {
      lookups += 1;
      if (lookups > MAX_LOOKUPS) return [...manifests];
      const path = resolvePackage(name, folder);
      const manifest = path === undefined ? undefined : join(tryOs(() => realpathSync(path)) ?? path, 'package.json');
      if (manifest === undefined || manifests.has(manifest) || !existsSync(manifest)) continue;
      if (manifests.size >= MAX_DEPENDENCIES) return [...manifests];
      manifests.add(manifest);
      folders.push(dirname(manifest));
    }
  }
  return [...manifests];
}

function dependenciesOf(file: string): string[] {
  try {
    const json = JSON.parse(readRegularText(file, MAX_PACKAGE_BYTES));
    return [json.dependencies, json.optionalDependencies, json.peerDependencies].flatMap((group) =>
      Object.keys(group ?? {}),
    );
  } catch {
    // An invalid package.json of the plugin itself is reported when the plugin is found.
    return [];
  }
}
