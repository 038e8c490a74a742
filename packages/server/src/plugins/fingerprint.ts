import { createHash } from 'node:crypto';
import { type BigIntStats, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MODULE_EXTENSIONS } from './package-entry.js';

/** The files that a plugin is made of, and how they stood. */
export interface Fingerprint {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** Of path, size, change time (ns) and inode of each: equal as long as nothing was written. */
  readonly stamp: string;
}

/** A plugin's folder may hold more; what comes after these is not watched. */
const MAX_FILES = 2000;

/** How a plugin's files stand now. @param root its folder, for a plugin that is one */
export function fingerprint({ entry, root }: { entry: string; root?: string }): Fingerprint {
  return stampOf(root === undefined ? importedFiles(entry) : filesBelow(root));
}

/**
 * The stamp of files that were listed before; undefined when one is gone. For a folder the files are listed again,
 * since a new one counts.
 */
export function stampAgain({ root }: { root?: string }, files: readonly string[]): string | undefined {
  try {
    return stampOf(root === undefined ? files : filesBelow(root)).stamp;
  } catch {
    return undefined;
  }
}

/** A hash of what the files hold. Files that cannot be read count as absent. */
export function contentHash(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${file}\0`);
    try {
      hash.update(readFileSync(file));
    } catch {
      hash.update('absent');
    }
  }
  return hash.digest('hex');
}

function stampOf(files: readonly string[]): Fingerprint {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0${statLine(file)}\n`);
  return { files, stamp: hash.digest('hex') };
}

function statLine(file: string): string {
  const stats: BigIntStats | undefined = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.size} ${stats.ctimeNs} ${stats.mtimeNs} ${stats.ino}` : 'absent';
}

function filesBelow(root: string): string[] {
  const files: string[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && files.length < MAX_FILES; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else files.push(path);
    }
  }
  return files.sort();
}

/** `from './x'`, `import './x'`, `import('./x')`, `require('./x')`: a name too many does no harm. */
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/** A single file with the files that it imports by relative names, and theirs. */
function importedFiles(entry: string): string[] {
  const found = new Set([entry]);
  for (const file of found) {
    if (found.size > MAX_FILES || !MODULE_EXTENSIONS.some((extension) => file.endsWith(extension))) continue;
    for (const [, specifier = ''] of textOf(file).matchAll(RELATIVE_IMPORT)) {
      for (const path of candidatesOf(resolve(dirname(file), specifier))) {
        if (statSync(path, { throwIfNoEntry: false })?.isFile()) found.add(path);
      }
    }
  }
  return [...found].sort();
}

function candidatesOf(path: string): string[] {
  const asTypeScript = path.replace(/\.([mc]?)js$/, '.$1ts');
  return [
    path,
    asTypeScript,
    ...MODULE_EXTENSIONS.map((extension) => path + extension),
    join(path, 'index.js'),
    join(path, 'index.ts'),
  ];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
