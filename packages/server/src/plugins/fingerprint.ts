import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { attempt } from '../settings/system-answer.js';
import { assemblyFiles } from './dotnet-plugin.js';
import { MODULE_EXTENSIONS } from './package-entry.js';

/** The files that a plugin is made of, and how they stood. */
export interface Fingerprint {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** Of path, size, change time (ns) and inode of each: equal as long as nothing was written. */
  readonly stamp: string;
  /** The same of the modules alone, without what else is in the plugin's folder. */
  readonly codeStamp?: string;
}

/** A plugin's folder may hold more; what comes after these is not watched. */
const MAX_FILES = 2000;
/** What a plugin's files may hold to be read; a model or a database beside its code is known by its times alone. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

/** How a plugin's files stand now; what cannot be read counts as absent. @param root its folder, for a plugin that is one */
export function fingerprint({ entry, root }: { entry: string; root?: string }): Fingerprint {
  const own = entry.endsWith('.dll')
    ? assemblyFiles(entry).filter((file) => !isBelow(root, file))
    : importedFiles(entry);
  return { ...stampOf([...own, ...filesBelow(root)]), codeStamp: stampOf(own).stamp };
}

/** The stamp of files that were listed before, and of what is new in the plugin's folder. */
export function stampAgain({ root }: { root?: string }, files: readonly string[]): string {
  return stampOf([...files, ...filesBelow(root)]).stamp;
}

/**
 * A hash of what the files hold, up to 64 MiB. Files that cannot be read count as absent, and what is none, such as a
 * named pipe, is not read: that might never end.
 */
export async function contentHash(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  let leftBytes = MAX_HASHED_BYTES;
  for (const file of files) {
    hash.update(`${file}\0`);
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() && stats.size <= leftBytes) {
      leftBytes -= stats.size;
      hash.update(await readFile(file).catch(() => 'absent'));
    } else hash.update(statLine(file));
  }
  return hash.digest('hex');
}

function stampOf(given: readonly string[]): Fingerprint {
  const files = [...new Set(given)].sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0${statLine(file)}\n`);
  return { files, stamp: hash.digest('hex') };
}

function statLine(file: string): string {
  const stats = attempt(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return stats ? `${stats.size} ${stats.ctimeNs} ${stats.mtimeNs} ${stats.ino}` : 'absent';
}

const isBelow = (root: string | undefined, file: string) => root !== undefined && file.startsWith(`${root}${sep}`);

function filesBelow(root: string | undefined): string[] {
  const files: string[] = [];
  const folders = root === undefined ? [] : [root];
  for (let folder = folders.pop(); folder !== undefined && files.length < MAX_FILES; folder = folders.pop()) {
    const entries = attempt(() => readdirSync(folder!, { withFileTypes: true })) ?? [];
    for (const entry of entries.slice(0, MAX_FILES)) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else files.push(path);
    }
  }
  return files;
}

/** `from './x'`, `import './x'`, `import('./x')`, `require('./x')`: a name too many does no harm. */
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?['"`](\.{1,2}\/[^'"`]+)['"`]/g;

/** What may be left away at the end of a name. */
const ENDINGS = [...MODULE_EXTENSIONS, '.json'];

/** The entry with the files that it imports by relative names, and theirs. */
function importedFiles(entry: string): string[] {
  // A link may be turned to another file, and relative names start where it leads.
  const found = new Set([entry, attempt(() => realpathSync(entry)) ?? entry]);
  for (const file of found) {
    if (found.size > MAX_FILES || !MODULE_EXTENSIONS.some((extension) => file.endsWith(extension))) continue;
    const text = attempt(() => readFileSync(file, 'utf8')) ?? '';
    for (const [, specifier = ''] of text.matchAll(RELATIVE_IMPORT)) {
      for (const path of candidatesOf(resolve(dirname(file), specifier))) if (isFile(path)) found.add(path);
    }
  }
  return [...found];
}

function candidatesOf(path: string): string[] {
  const asTypeScript = path.replace(/\.([mc]?)js$/, '.$1ts');
  return [
    path,
    asTypeScript,
    ...ENDINGS.flatMap((ending) => [path + ending, join(path, `index${ending}`)]),
    ...mainOf(path),
  ];
}

/** What `require` takes of a folder with a package.json, and that file. */
function mainOf(folder: string): string[] {
  const file = join(folder, 'package.json');
  try {
    const path = resolve(folder, JSON.parse(readFileSync(file, 'utf8')).main);
    return [file, path, ...ENDINGS.flatMap((ending) => [path + ending, join(path, `index${ending}`)])];
  } catch {
    // There is none, or it names nothing.
    return [];
  }
}

const isFile = (path: string) => attempt(() => statSync(path, { throwIfNoEntry: false }))?.isFile() ?? false;
