import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** The packages that a new plugin's test needs, and the members that npm installs. None of them has dependencies. */
const INSTALLED_MEMBERS = {
  '@mortise/plugin': ['package.json', 'README.md', 'LICENSE', 'dist'],
  jiti: ['package.json', 'LICENSE', 'lib', 'dist'],
} as const;

export type NeededPackage = keyof typeof INSTALLED_MEMBERS;

/** Returns the version range of `@mortise/plugin` for a plugin's package.json. */
export function contractRange(): string {
  const file = join(ownCopy('@mortise/plugin'), 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return `^${version}`;
}

/** True if Node finds the package from modules in `folder`. */
export function hasPackage(name: NeededPackage, folder: string): boolean {
  const parent = dirname(folder);
  return (
    existsSync(join(folder, 'node_modules', name, 'package.json')) || (parent !== folder && hasPackage(name, parent))
  );
}

/**
 * Copies the server's own copy of the package into `folder`/node_modules, as `npm install` would. A new plugin's test
 * then runs without any installation or network.
 */
export function copyPackage(name: NeededPackage, folder: string): void {
  const from = ownCopy(name);
  for (const member of INSTALLED_MEMBERS[name].filter((path) => existsSync(join(from, path)))) {
    cpSync(join(from, member), join(folder, 'node_modules', name, member), {
      recursive: true,
      filter: (path) => basename(path) !== '.tsbuildinfo',
    });
  }
}

const ownCopy = (name: NeededPackage) =>
  realpathSync(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)));
