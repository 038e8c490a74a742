import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cannotWrite, ScaffoldError } from './scaffold-error.js';

/**
 * Creates a folder atomically; an empty existing one is replaced. @param write fills the folder that becomes it
 * @throws ScaffoldError when it cannot be written
 */
export function createFolderAtomically<T>(folder: string, write: (temporary: string) => T): T {
  const temporary = join(dirname(folder), `.${basename(folder)}-${randomUUID()}`);
  makeFolder(temporary);
  try {
    const made = write(temporary);
    // An empty folder is in the way of the renaming on Windows.
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(temporary, folder);
    return made;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (error instanceof ScaffoldError) throw error;
    return cannotWrite(folder, error);
  }
}

/** Makes a folder and those above it. @throws ScaffoldError */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    cannotWrite(folder, error);
  }
}

/** @throws ScaffoldError if the path exists and is not an empty folder */
export function checkFree(folder: string): void {
  if (existsSync(folder) && !isEmptyFolder(folder))
    throw new ScaffoldError(`${folder} exists already.`, 'Choose another name, or remove it first.');
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    return cannotWrite(path, error);
  }
}
