import { isAbsolute, parse, relative, sep } from 'node:path';
import type { PluginNeeds } from '../../core/plugin-needs.js';
import type { PackageOrigin } from '../../core/plugin-origin.js';
import { realPath } from '../../util/ignore-os-errors.js';

/** The identity by which a plugin is pinned. */
export interface PinnedPlugin {
  readonly name: string;
  /** The absolute path of the plugin's file or folder; undefined for a mounted server. */
  readonly path?: string;
  /** The absolute path of the module that contains the definition; default `path`. */
  readonly entry?: string;
  /** The needs that the plugin declares under `mortise.needs`. */
  readonly needs?: PluginNeeds;
  /** The npm package that contains the plugin. */
  readonly package?: PackageOrigin;
}

/**
 * Creates a function that returns a plugin's key in the pin file. It is the path relative to `folder`, such as
 * `./plugins/weather.mjs`, which is the same on every machine and for every spelling of the folder; for a mounted
 * server it is the name. Names of plugins are not unique: two folders can contain a plugin `hello`.
 * @param folder the folder of the pin file
 */
export function pluginKeys(folder: string): (plugin: Pick<PinnedPlugin, 'name' | 'path'>) => string {
  const cache = new Map<string, string>();
  const pathOf = (directory: string) => {
    const path = cache.get(directory) ?? pathBelow(realPath(folder), realPath(directory));
    cache.set(directory, path);
    return path;
  };
  return ({ name, path }) => {
    if (path === undefined) return name;
    const { dir, base } = parse(path);
    return `${pathOf(dir)}${base}`;
  };
}

/** Returns the relative path from `folder` to `directory`, with slashes and one at the end. */
function pathBelow(folder: string, directory: string): string {
  const path = relative(folder, directory);
  const isBelow = !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
  return [...(isBelow ? ['.'] : []), ...path.split(sep).filter((part) => part !== ''), ''].join('/');
}
