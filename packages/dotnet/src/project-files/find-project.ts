import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

const PROJECT = /\.[a-z]*proj$/i;

/** Whether a path names an MSBuild project: `.csproj`, `.fsproj`, `.vbproj`, any `.*proj`. */
export function isProjectPath(path: string): boolean {
  return PROJECT.test(path);
}

/** The name of a project: its file's without the extension. */
export function projectName(path: string): string {
  return basename(path, extname(path));
}

/** The project that a path means: the file itself, or the only project in the folder. */
export function findProject(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return isProjectPath(path) ? path : undefined;
  if (!stats?.isDirectory()) return undefined;
  const projects = readdirSync(path).filter(isProjectPath);
  return projects.length === 1 ? join(path, projects[0]!) : undefined;
}

/** The folder and those above it, the nearest first. */
export function foldersUpward(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpward(above)];
}

/** The nearest file of that name in the folder or above it. */
export function findUpward(folder: string, name: string): string | undefined {
  return foldersUpward(folder)
    .map((one) => join(one, name))
    .find((path) => existsSync(path));
}
