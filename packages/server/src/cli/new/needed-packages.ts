import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** Packages that a new plugin's test runs with, and what npm would install of each. None of them has dependencies. */
const PUBLISHED = {
  '@mortise/plugin': ['package.json', 'README.md', 'LICENSE', 'dist'],
  jiti: ['package.json', 'LICENSE', 'lib', 'dist'],
} as const;

export type NeededPackage = keyof typeof PUBLISHED;

/** The version range of the plugin package for a plugin's package.json. */
export function contractRange(): string {
  const file = join(ownCopy('@mortise/plugin'), 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return `^${version}`;
}

/** Whether Node finds the package from modules in `folder`. */
export function hasPackage(name: NeededPackage, folder: string): boolean {
  const above = dirname(folder);
  return (
    existsSync(join(folder, 'node_modules', name, 'package.json')) || (above !== folder && hasPackage(name, above))
  );
}

/**
 * Puts the server's own copy of the package into `folder`/node_modules, as `npm install` would. So a new plugin's test runs
 * where nothing is installed, without a network.
 */
export function copyPackage(name: NeededPackage, folder: string): void {
  const from = ownCopy(name);
  for (const member of PUBLISHED[name].filter((member) => existsSync(join(from, member)))) {
    cpSync(join(from, member), join(folder, 'node_modules', name, member), {
      recursive: true,
      filter: (path) => basename(path) !== '.tsbuildinfo',
    });
  }
}

const ownCopy = (name: NeededPackage) =>
  realpathSync(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)));
