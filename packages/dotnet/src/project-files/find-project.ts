import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

const PROJECT = /\.[a-z]*proj$/i;

/** True for the extensions of MSBuild projects: `.csproj`, `.fsproj`, `.vbproj` and any other `.*proj`. */
export function isProjectPath(path: string): boolean {
  return PROJECT.test(path);
}

export function projectName(path: string): string {
  return basename(path, extname(path));
}

/** Returns the project at a path: the file itself, or the only project in the folder; undefined for anything else. */
export function findProject(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return isProjectPath(path) ? path : undefined;
  if (!stats?.isDirectory()) return undefined;
  const projects = readdirSync(path).filter(isProjectPath);
  return projects.length === 1 ? join(path, projects[0]!) : undefined;
}

/** Returns the folder and the folders above it, the nearest first. */
export function foldersUpward(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpward(parent)];
}

/** Returns the path of the nearest file of that name in the folder or above it. */
export function findUpward(folder: string, name: string): string | undefined {
  return foldersUpward(folder)
    .map((parent) => join(parent, name))
    .find((path) => existsSync(path));
}
