import { relative } from 'node:path';

/** Returns the path for answers: relative to the folder with forward slashes, or absolute if that is shorter. */
export function relativePath(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll('\\', '/');
  return path === '' || path.length > file.length ? file : path;
}
