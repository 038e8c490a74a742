import { createHash, type Hash, hash } from 'node:crypto';
import { closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { importSteps } from '@mortise/plugin/runtime';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import { kindOfFile } from '../../core/plugin-kinds.js';
import { tryOs } from '../../util/ignore-os-errors.js';
import { inOneTurn, inTurns } from '../../util/in-turns.js';
import { assemblyFiles } from '../find/plugin-assembly.js';
import { dependencyManifests } from '../find/resolve-package.js';

/** The maximum number of files, and of folders, that are searched for changes in a plugin's folder. */
const MAX_FILES = 2000;
const MAX_FOLDERS = 2000;
/** Limit for the contents of all files together. A file beyond it, such as a model, is compared by its metadata. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** With O_NONBLOCK, opening a named pipe that replaced a file does not block. Windows has neither the pipes nor the flag. */
const READ_WITHOUT_BLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface PluginFiles {
  readonly entry: string;
  /** The plugin's folder, if the plugin is a folder. */
  readonly root?: string;
}

/**
 * Returns the current state of a plugin's files. A file that cannot be read counts as missing. Blocks the event loop.
 */
export const fingerprint = (plugin: PluginFiles): Fingerprint => inOneTurn(fingerprintSteps(plugin));

/** Works like {@link fingerprint}, but in turns of the event loop, because a plugin can import many files. */
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

/** Returns the current `stateHash` of files of an earlier fingerprint, and of new files in the plugin's folder. */
export function rehash({ root }: { root?: string }, files: readonly string[]): string {
  return stateHashOf([...files, ...filesBelow(root)]).stateHash;
}

/**
 * Returns a hash of the contents of the files. Files beyond 64 MiB in all, and things that are not a file, such as a
 * named pipe, are not read: their metadata is hashed instead. A file that cannot be read counts as missing.
 */
export function contentHash(files: readonly string[]): Promise<string> {
  return inTurns(hashFiles(files));
}

/**
 * Reads synchronously in small steps. Asynchronous reads would use Node's thread pool, which gets little processor time
 * while plugin processes start, and the first call of a plugin waits for the hash.
 */
function* hashFiles(files: readonly string[]): Generator<void, string> {
  const digest = createHash('sha256');
  let remainingBytes = MAX_HASHED_BYTES;
  for (const file of files) {
    digest.update(`${file}\0`);
    const stats = tryOs(() => statSync(file, { throwIfNoEntry: false }));
    if (stats?.isFile() && stats.size <= remainingBytes) {
      remainingBytes -= stats.size;
      yield* hashFile(digest, file, stats.size);
    } else digest.update(statLine(file));
    yield;
  }
  return digest.digest('hex');
}

/** Reads at most `size` bytes, because the file may be growing. */
function* hashFile(digest: Hash, path: string, size: number): Generator<void, void> {
  if (size === 0) return;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ_WITHOUT_BLOCKING);
    const chunk = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
    for (let remainingBytes = size; remainingBytes > 0; ) {
      const bytesRead = readSync(descriptor, chunk, 0, Math.min(remainingBytes, CHUNK_BYTES), null);
      if (bytesRead === 0) return;
      digest.update(chunk.subarray(0, bytesRead));
      remainingBytes -= bytesRead;
      yield;
    }
  } catch {
    digest.update('absent');
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
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
  for (let count = 0; folders.length > 0 && files.length < MAX_FILES && count < MAX_FOLDERS; count++) {
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
