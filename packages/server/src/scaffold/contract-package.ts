import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const PACKAGE = '@mortise/plugin';

/** What npm would install of it. */
const PUBLISHED = ['package.json', 'README.md', 'LICENSE', 'dist'];

/** The version range for a plugin's package.json. */
export function contractRange(): string {
  const { version } = JSON.parse(readFileSync(join(ownCopy(), 'package.json'), 'utf8')) as { version: string };
  return `^${version}`;
}

/** Whether Node finds the contract package from modules in `folder`. */
export function hasContract(folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, 'node_modules', PACKAGE, 'package.json')) || (above !== folder && hasContract(above));
}

/**
 * Puts the server's own copy of the contract package into `folder`/node_modules, as `npm install` would: it has no
 * dependencies. So a new plugin's test runs where nothing is installed, without a network.
 */
export function copyContract(folder: string): void {
  const from = ownCopy();
  for (const name of PUBLISHED.filter((name) => existsSync(join(from, name)))) {
    cpSync(join(from, name), join(folder, 'node_modules', PACKAGE, name), {
      recursive: true,
      filter: (path) => basename(path) !== '.tsbuildinfo',
    });
  }
}

const ownCopy = () => realpathSync(dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)));
