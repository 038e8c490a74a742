import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularText } from '../regular-file.js';
import { MODULE_EXTENSIONS } from './package-entry.js';
import { tryRead } from './try-read.js';

const MAX_FILES = 2000;
/**
 * The maximum size of one file, and of all files of a plugin, that are searched for imports. Larger ones are bundles or
 * no code.
 */
const MAX_SCANNED_BYTES = { file: 2 * 1024 * 1024, all: 8 * 1024 * 1024 };
const MAX_PACKAGE_BYTES = 1024 * 1024;
/**
 * The maximum number of different files that the imports of one plugin may name, because each costs an access to the
 * disk.
 */
export const MAX_IMPORTS = 10_000;

/**
 * Matches `from './x'`, `import './x'`, `import('./x')` and `require('./x')`. A match that is no import does no harm.
 */
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?['"`](\.{1,2}\/[^'"`]+)['"`]/g;

/** Endings that an import may omit. */
const SUFFIXES = [...MODULE_EXTENSIONS, '.json'];

export interface ImportedFiles {
  /** The absolute paths of the entry and of all files that it imports by relative names, directly or indirectly. */
  readonly files: string[];
  /** True if the imports name more than {@link MAX_IMPORTS} different files. The others were not searched. */
  readonly hasTooMany: boolean;
}

/** Finds the files without interruption. @see importSteps */
export function importedFiles(entry: string): string[] {
  const steps = importSteps(entry);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value.files;
  }
}

/**
 * Finds the files that a plugin imports. Each step handles one file or import, so that other code can run in between.
 * Files that cannot be read count as empty. A file that several imports name is searched once.
 */
export function* importSteps(entry: string): Generator<void, ImportedFiles> {
  // Watch a symbolic link and its target: the link can be changed, and relative names start at the target.
  const files = new Set([entry, tryRead(() => realpathSync(entry)) ?? entry]);
  const importedPaths = new Set<string>();
  let remainingBytes = MAX_SCANNED_BYTES.all;
  for (const file of files) {
    if (files.size > MAX_FILES || !MODULE_EXTENSIONS.some((extension) => file.endsWith(extension))) continue;
    const text = codeOf(file, remainingBytes) ?? '';
    remainingBytes -= text.length;
    for (const [, specifier = ''] of text.matchAll(RELATIVE_IMPORT)) {
      const path = resolve(dirname(file), specifier);
      if (importedPaths.has(path)) continue;
      if (importedPaths.size >= MAX_IMPORTS) return { files: [...files], hasTooMany: true };
      importedPaths.add(path);
      for (const imported of filesAt(path)) files.add(imported);
      yield;
    }
    yield;
  }
  return { files: [...files], hasTooMany: false };
}

/** The files that an import of this path can mean. */
function filesAt(path: string): string[] {
  const stats = statsOf(path);
  if (stats?.isFile()) return [path];
  const paths = [path.replace(/\.([mc]?)js$/, '.$1ts'), ...SUFFIXES.map((suffix) => path + suffix)];
  if (stats?.isDirectory()) paths.push(...SUFFIXES.map((suffix) => join(path, `index${suffix}`)), ...mainOf(path));
  return paths.filter((candidate) => statsOf(candidate)?.isFile());
}

/** The files that `require` of a folder uses: its package.json, and the file that `main` names. */
function mainOf(folder: string): string[] {
  const file = join(folder, 'package.json');
  try {
    const path = resolve(folder, JSON.parse(textOf(file, MAX_PACKAGE_BYTES) ?? '').main);
    return [file, path, ...SUFFIXES.flatMap((suffix) => [path + suffix, join(path, `index${suffix}`)])];
  } catch {
    // There is no package.json, or it has no `main`.
    return [];
  }
}

/** The text to search for imports. undefined for a file that is no code, or is a bundle. */
export function codeOf(file: string, maxBytes: number = MAX_SCANNED_BYTES.file): string | undefined {
  return textOf(file, Math.min(MAX_SCANNED_BYTES.file, maxBytes));
}

/** undefined for a file that is too large, cannot be read, or is not a regular file; a named pipe might never end. */
function textOf(file: string, maxBytes: number): string | undefined {
  return tryRead(() => readRegularText(file, maxBytes));
}

const statsOf = (path: string) => tryRead(() => statSync(path, { throwIfNoEntry: false }));
