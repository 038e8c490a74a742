import { isAbsolute, parse, relative, sep } from 'node:path';
import { realPath } from '../util/ignore-os-errors.js';

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
  const known = new Map<string, string>();
  const placeOf = (directory: string) => {
    const place = known.get(directory) ?? placeBelow(realPath(folder), realPath(directory));
    known.set(directory, place);
    return place;
  };
  return ({ name, path }) => {
    if (path === undefined) return name;
    const { dir, base } = parse(path);
    return `${placeOf(dir)}${base}`;
  };
}

/** Ends with a slash. */
function placeBelow(folder: string, directory: string): string {
  const place = relative(folder, directory);
  const isBelow = !isAbsolute(place) && place !== '..' && !place.startsWith(`..${sep}`);
  return [...(isBelow ? ['.'] : []), ...place.split(sep).filter((part) => part !== ''), ''].join('/');
}
