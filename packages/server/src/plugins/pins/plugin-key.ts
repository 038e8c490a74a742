import { isAbsolute, parse, relative, sep } from 'node:path';
import { realPath } from '../../util/ignore-os-errors.js';

/** A plugin as far as its pins need to know it. */
export interface PinnedPlugin {
  readonly name: string;
  /** Absolute path of its file or folder; none for a mounted server. */
  readonly path?: string;
  /** Absolute path of the module that its definition comes from; default `path`. */
  readonly entry?: string;
}

/**
 * Names plugins in the pin file: `./plugins/weather.mjs` by the place from `folder`, the same on every machine and however
 * the folder is spelled; a mounted server by its name. Names alone would not do: two folders may hold a plugin `hello`.
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

/** Ends with a slash. */
function pathBelow(folder: string, directory: string): string {
  const path = relative(folder, directory);
  const isBelow = !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
  return [...(isBelow ? ['.'] : []), ...path.split(sep).filter((part) => part !== ''), ''].join('/');
}
