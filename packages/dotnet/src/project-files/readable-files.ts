import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';

const MAX_FOLDERS = 1000;
const IGNORED = new Set(['bin', 'obj', 'node_modules', 'packages']);

/**
 * Returns the paths of files below a folder, breadth first. Ignored and hidden folders, and folders that cannot be
 * read, are left out.
 */
export function filesBelow(folder: string, matches: (name: string) => boolean, ignored = IGNORED): string[] {
  const folders = [folder];
  const files: string[] = [];
  for (let index = 0; index < folders.length && index < MAX_FOLDERS; index++) {
    for (const entry of entriesOf(folders[index]!)) {
      const path = join(folders[index]!, entry.name);
      if (entry.isDirectory()) {
        if (!ignored.has(entry.name) && !entry.name.startsWith('.')) folders.push(path);
      } else if (matches(entry.name)) {
        files.push(path);
      }
    }
  }
  return files;
}

/** Returns the package files below a folder, including those that Pack has written into `bin`. */
export function packageFiles(folder: string): string[] {
  return filesBelow(folder, (name) => /\.s?nupkg$/i.test(name), IGNORED_FOR_PACKAGES);
}

/** `packages` is ignored because it is a cache of packages that others have made. */
const IGNORED_FOR_PACKAGES = new Set(['obj', 'node_modules', 'packages']);

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Returns the text of a file; empty if it cannot be read. For searches in which a missing file does not matter. */
export function readableText(path: string, maxBytes?: number): string {
  try {
    return readRegularText(path, maxBytes);
  } catch {
    return '';
  }
}

/** Returns the names in a folder, sorted; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
