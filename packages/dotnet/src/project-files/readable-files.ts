import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';

/** Folders that are read at most, so that a look around stays short. */
const MAX_FOLDERS = 1000;
const IGNORED = new Set(['bin', 'obj', 'node_modules', 'packages']);

/** The files of a folder and of those below it, breadth first, without outputs and hidden folders; absolute. */
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

/** The packages below a folder, also those that Pack made in bin. */
export function packageFiles(folder: string): string[] {
  return filesBelow(folder, (name) => /\.s?nupkg$/i.test(name), NO_PACKAGES);
}

/** `packages` is a cache of other people's packages. */
const NO_PACKAGES = new Set(['obj', 'node_modules', 'packages']);

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The text of a file; empty if it cannot be read, for looks around that a file more or less does not change. */
export function readableText(path: string, maxBytes?: number): string {
  try {
    return readRegularText(path, maxBytes);
  } catch {
    return '';
  }
}

/** The names in a folder, sorted; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
