import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** Returns the result of `call`, or undefined if the operating system answers with an error. Throws other errors. */
export function tryOs<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

/** The real path of a file or folder, with the upper and lower case of the disk. If it does not exist, the absolute path. */
export function realPath(folder: string): string {
  return tryOs(() => realpathSync.native(folder)) ?? resolve(folder);
}
