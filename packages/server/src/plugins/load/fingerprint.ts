import { createHash, type Hash, hash } from 'node:crypto';
import { closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { importSteps } from '@mortise/plugin/runtime';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import { kindOfFile } from '../../core/plugin-kinds.js';
import { tryOs } from '../../util/ignore-os-errors.js';
import { atOnce, inTurns } from '../../util/in-turns.js';
import { assemblyFiles } from '../find/plugin-assembly.js';
import { dependencyManifests } from '../find/resolve-package.js';

/** A plugin's folder may hold more; what comes after these is not watched. */
const MAX_FILES = 2000;
const MAX_FOLDERS = 2000;
/** What a plugin's files may hold to be read; a model or a database beside its code is known by its times alone. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** A named pipe that took the place of a file is not waited for. Windows has none. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface PluginFiles {
  readonly entry: string;
  /** Its folder, for a plugin that is one. */
  readonly root?: string;
}

/** How a plugin's files stand now; what cannot be read counts as absent. */
export const fingerprint = (plugin: PluginFiles): Fingerprint => atOnce(fingerprintSteps(plugin));

/** The same, while others are served: a plugin decides how many imports are followed. */
export const fingerprintInTurns = (plugin: PluginFiles): Promise<Fingerprint> => inTurns(fingerprintSteps(plugin));

function* fingerprintSteps({ entry, root }: PluginFiles): Generator<void, Fingerprint> {
  const isAssembly = kindOfFile(entry) === 'dotnet';
  const imports = isAssembly ? { files: assemblyFiles(entry), hasTooMany: false } : yield* importSteps(entry);
  const code = imports.files;
  const own = isAssembly ? code.filter((file) => !isBelow(root, file)) : code;
  const dependencies = root === undefined || isAssembly ? [] : dependencyManifests(root);
  return {
    ...stateHashOf([...own, ...dependencies, ...filesBelow(root)]),
    code,
    codeHash: stateHashOf(own).stateHash,
    ...(imports.hasTooMany && { hasTooManyImports: true }),
  };
}

/** The stamp of files that were listed before, and of what is new in the plugin's folder. */
export function rehash({ root }: { root?: string }, files: readonly string[]): string {
  return stateHashOf([...files, ...filesBelow(root)]).stateHash;
}

/**
 * A hash of what the files hold, up to 64 MiB. Files that cannot be read count as absent, and what is none, such as a
 * named pipe, is not read: that might never end.
 */
export function contentHash(files: readonly string[]): Promise<string> {
  return inTurns(hashFiles(files));
}

/**
 * Synchronously, in small steps: each turn by way of Node's threads waits for a processor, while a process that starts has
 * both. A first call waits for this.
 */
function* hashFiles(files: readonly string[]): Generator<void, string> {
  const digest = createHash('sha256');
  let leftBytes = MAX_HASHED_BYTES;
  for (const file of files) {
    digest.update(`${file}\0`);
    const stats = tryOs(() => statSync(file, { throwIfNoEntry: false }));
    if (stats?.isFile() && stats.size <= leftBytes) {
      leftBytes -= stats.size;
      yield* hashFile(digest, file, stats.size);
    } else digest.update(statLine(file));
    yield;
  }
  return digest.digest('hex');
}

/** No more than the size says, for the file may be growing. */
function* hashFile(digest: Hash, path: string, size: number): Generator<void, void> {
  if (size === 0) return;
  let file: number | undefined;
  try {
    file = openSync(path, READ_AT_ONCE);
    const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES));
    for (let leftBytes = size; leftBytes > 0; ) {
      const count = readSync(file, piece, 0, Math.min(leftBytes, PIECE_BYTES), null);
      if (count === 0) return;
      digest.update(piece.subarray(0, count));
      leftBytes -= count;
      yield;
    }
  } catch {
    digest.update('absent');
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function stateHashOf(paths: readonly string[]): Fingerprint {
  const files = [...new Set(paths)].sort();
  return { files, stateHash: hash('sha256', files.map((file) => `${file}\0${statLine(file)}\n`).join('')) };
}

function statLine(file: string): string {
  const stats = tryOs(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return stats ? `${stats.size} ${stats.ctimeNs} ${stats.mtimeNs} ${stats.ino}` : 'absent';
}

const isBelow = (root: string | undefined, file: string) => root !== undefined && file.startsWith(`${root}${sep}`);

function filesBelow(root: string | undefined): string[] {
  const files: string[] = [];
  const folders = root === undefined ? [] : [root];
  for (let seen = 0; folders.length > 0 && files.length < MAX_FILES && seen < MAX_FOLDERS; seen++) {
    const folder = folders.pop()!;
    const entries = tryOs(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    for (const entry of entries.slice(0, MAX_FILES)) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else files.push(path);
    }
  }
  return files;
}
