import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** What the call gives; undefined where the operating system answers with an error. Other errors pass through. */
export function tryOs<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

/** The folder's path with symbolic links followed, in the case of the disk; only made absolute where it does not exist. */
export function realPath(folder: string): string {
  return tryOs(() => realpathSync.native(folder)) ?? resolve(folder);
}
