import { relative } from 'node:path';

/** The path of a file as answers show it: relative to the folder, with `/`, or absolute where that is shorter. */
export function relativePath(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll('\\', '/');
  return path === '' || path.length > file.length ? file : path;
}
