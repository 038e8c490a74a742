import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isJsonObject, readRegularText } from '@mortise/plugin/runtime';
import type { PackageOrigin } from '../../core/plugin-origin.js';
import { tryOs } from '../../util/ignore-os-errors.js';
import { by } from '../../util/order.js';

const MAX_LOCK_BYTES = 64 * 1024 * 1024;
/** Folders after this many files, and contents after this many bytes, do not count for the hash of a package. */
const MAX_FILES = 5_000;
const MAX_HASHED_BYTES = 64 * 1024 * 1024;
/** The lock files of npm, in the order in which npm uses them. */
const LOCK_FILES = ['npm-shrinkwrap.json', 'package-lock.json'];

type LockEntries = Readonly<Record<string, unknown>>;

/** Reads the lock files of npm, each once. */
export class LockFiles {
  readonly #read = new Map<string, LockEntries | undefined>();

  /**
   * Returns where an installed package comes from (docs/spec/plugins.md#provenance).
   * @param path the folder of the package in a `node_modules` folder
   */
  originOf(name: string, path: string, version: string | undefined): PackageOrigin {
    const folder = projectOf(path);
    const file = folder && LOCK_FILES.map((lock) => join(folder, lock)).find((lock) => this.#entries(lock));
    const entry = file && this.#entries(file)?.[relative(folder, path).split(sep).join('/')];
    const { integrity, version: lockedVersion } = isJsonObject(entry as never)
      ? (entry as Record<string, unknown>)
      : {};
    const isLocked = typeof integrity === 'string';
    return {
      from: 'package',
      package: name,
      ...(version !== undefined && { version }),
      ...(isLocked && { integrity, lockfile: file!, files: filesHash(path) }),
      ...(isLocked && typeof lockedVersion === 'string' && lockedVersion !== version && { lockedVersion }),
    };
  }

  #entries(file: string): LockEntries | undefined {
    if (!this.#read.has(file)) this.#read.set(file, readLock(file));
    return this.#read.get(file);
  }
}

/** The folder that contains the outermost `node_modules` folder of the path. */
function projectOf(path: string): string | undefined {
  const above = dirname(path);
  if (above === path) return undefined;
  return projectOf(above) ?? (basename(above) === 'node_modules' ? dirname(above) : undefined);
}

function readLock(file: string): LockEntries | undefined {
  try {
    const { packages } = JSON.parse(readRegularText(file, MAX_LOCK_BYTES));
    return isJsonObject(packages) ? packages : undefined;
  } catch {
    // A lock file that is missing or cannot be read has no entries.
    return undefined;
  }
}

/** The hash of the paths, sizes and contents of the package's own files. It is the same on every machine. */
function filesHash(path: string): string {
  const root = tryOs(() => realpathSync(path)) ?? path;
  const digest = createHash('sha256');
  let remainingBytes = MAX_HASHED_BYTES;
  for (const file of filesBelow(root)) {
    const size = tryOs(() => statSync(file))?.size ?? 0;
    digest.update(`${relative(root, file).split(sep).join('/')}\0${size}\0`);
    if (size > remainingBytes) continue;
    remainingBytes -= size;
    digest.update(tryOs(() => readFileSync(file)) ?? '');
  }
  return digest.digest('hex');
}

/** Returns the regular files in a fixed order. Links and packages inside of the package are not followed. */
function filesBelow(root: string): string[] {
  const files: string[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && files.length < MAX_FILES; folder = folders.pop()) {
    const entries = tryOs(() => readdirSync(folder!, { withFileTypes: true })) ?? [];
    for (const entry of entries.sort(by(({ name }) => name))) {
      if (entry.isDirectory() && entry.name !== 'node_modules') folders.push(join(folder, entry.name));
      else if (entry.isFile()) files.push(join(folder, entry.name));
    }
  }
  return files;
}
