import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this package. This module can be in `src`, in `build`, or in a bundle in `dist`. */
const ROOT = rootOf(import.meta.dirname);

function rootOf(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootOf(dirname(folder));
}

/** The path of a file or folder of this package. @param path relative to the package */
export const packagePath = (path: string): string => join(ROOT, path);

/** The path of a bundle that runs on its own (scripts/bundle.mjs). Tests use the bundle too, as it is published. */
export const bundlePath = (name: string): string => packagePath(`dist/${name}`);

/** The parts of this package's package.json that the server uses. */
export const packageJson = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};
