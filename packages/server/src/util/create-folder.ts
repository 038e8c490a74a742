import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents.
 * @throws Error of the operating system. On a read-only disk it is EROFS, where Node.js itself throws ENOENT.
 */
export function createFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { recursive: true, mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') accessSync(existingParent(folder), constants.W_OK);
    throw error;
  }
}

function existingParent(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) || parent === folder ? parent : existingParent(parent);
}
