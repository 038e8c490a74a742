import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createFolder } from '../../util/create-folder.js';
import { cannotWrite, ScaffoldError } from './scaffold-error.js';

/**
 * Creates a folder with its contents, or nothing. An existing empty folder is replaced.
 * @param write fills a temporary folder, which is then renamed
 * @returns the result of `write`
 * @throws ScaffoldError if the folder cannot be written
 */
export function createFolderAtomically<T>(folder: string, write: (temporary: string) => T): T {
  const temporary = join(dirname(folder), `.${basename(folder)}-${randomUUID()}`);
  makeFolder(temporary);
  try {
    const result = write(temporary);
    // On Windows a folder cannot be renamed to an existing one, even if that is empty.
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(temporary, folder);
    return result;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (error instanceof ScaffoldError) throw error;
    return cannotWrite(folder, error);
  }
}

/** Creates a folder and its missing parents. @throws ScaffoldError if that fails */
export function makeFolder(folder: string): void {
  try {
    createFolder(folder);
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
