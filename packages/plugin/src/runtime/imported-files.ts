import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularText } from '../regular-file.js';
import { tryRead } from './likely-mistakes.js';
import { MODULE_EXTENSIONS } from './package-entry.js';

/** A plugin may have more; what comes after these is not looked at. */
const MAX_FILES = 2000;
/** The maximum size of one file, and of all files of a plugin, in which imports are searched; larger ones are bundles or not code. */
const MAX_SCANNED_BYTES = { file: 2 * 1024 * 1024, all: 8 * 1024 * 1024 };
const MAX_PACKAGE_BYTES = 1024 * 1024;
/** The most different files that the imports of one plugin may name: each costs a look at the disk. */
export const MAX_IMPORTS = 10_000;

/** `from './x'`, `import './x'`, `import('./x')`, `require('./x')`: a name too many does no harm. */
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?['"`](\.{1,2}\/[^'"`]+)['"`]/g;

/** What may be left away at the end of a name. */
const SUFFIXES = [...MODULE_EXTENSIONS, '.json'];

export interface ImportedFiles {
  /** The entry with the files that it imports by relative names, and theirs; absolute. */
  readonly files: string[];
  /** The imports name more than {@link MAX_IMPORTS} different files; the others were not looked for. */
  readonly hasTooMany: boolean;
}

/** All of them in one piece. @see importSteps */
export function importedFiles(entry: string): string[] {
  const steps = importSteps(entry);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value.files;
  }
}

/**
 * Finds the files that a plugin imports, in steps of a file or an import, so that others can run in between.
 * Files that cannot be read count as empty. What several imports name is looked for once.
 */
export function* importSteps(entry: string): Generator<void, ImportedFiles> {
  // A link may be turned to another file, and relative names start where it leads.
  const found = new Set([entry, tryRead(() => realpathSync(entry)) ?? entry]);
  const named = new Set<string>();
  let leftBytes = MAX_SCANNED_BYTES.all;
  for (const file of found) {
    if (found.size > MAX_FILES || !MODULE_EXTENSIONS.some((extension) => file.endsWith(extension))) continue;
    const text = codeOf(file, leftBytes) ?? '';
    leftBytes -= text.length;
    for (const [, specifier = ''] of text.matchAll(RELATIVE_IMPORT)) {
      const path = resolve(dirname(file), specifier);
      if (named.has(path)) continue;
      if (named.size >= MAX_IMPORTS) return { files: [...found], hasTooMany: true };
      named.add(path);
      for (const imported of filesNamed(path)) found.add(imported);
      yield;
    }
    yield;
  }
  return { files: [...found], hasTooMany: false };
}

/** The files that an import of this path can mean. */
function filesNamed(path: string): string[] {
  const stats = statsOf(path);
  if (stats?.isFile()) return [path];
  const paths = [path.replace(/\.([mc]?)js$/, '.$1ts'), ...SUFFIXES.map((suffix) => path + suffix)];
  if (stats?.isDirectory()) paths.push(...SUFFIXES.map((suffix) => join(path, `index${suffix}`)), ...mainOf(path));
  return paths.filter((candidate) => statsOf(candidate)?.isFile());
}

/** What `require` takes of a folder with a package.json, and that file. */
function mainOf(folder: string): string[] {
  const file = join(folder, 'package.json');
  try {
    const path = resolve(folder, JSON.parse(textOf(file, MAX_PACKAGE_BYTES) ?? '').main);
    return [file, path, ...SUFFIXES.flatMap((suffix) => [path + suffix, join(path, `index${suffix}`)])];
  } catch {
    // There is none, or it names nothing.
    return [];
  }
}

/** What imports are looked for in; undefined for a file that is not code, or is a bundle. */
export function codeOf(file: string, maxBytes: number = MAX_SCANNED_BYTES.file): string | undefined {
  return textOf(file, Math.min(MAX_SCANNED_BYTES.file, maxBytes));
}

/** Undefined for a file that is larger or cannot be read, or anything that is not a regular file: a named pipe might never end. */
function textOf(file: string, maxBytes: number): string | undefined {
  return tryRead(() => readRegularText(file, maxBytes));
}

const statsOf = (path: string) => tryRead(() => statSync(path, { throwIfNoEntry: false }));
