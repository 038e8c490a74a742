import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this package, wherever in it this module is: in `src`, `build` or a bundle in `dist`. */
const ROOT = rootOf(import.meta.dirname);

function rootOf(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootOf(dirname(folder));
}

/** A file or folder of this package. @param path relative to its folder */
export const packagePath = (path: string): string => join(ROOT, path);

/** A bundle that is run or loaded by itself (scripts/bundle.mjs): what runs is what is published, in tests too. */
export const bundlePath = (name: string): string => packagePath(`dist/${name}`);

/** What this package says of itself. */
export const packageJson = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};
