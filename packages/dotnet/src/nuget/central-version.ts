import { basename, dirname, join } from 'node:path';
import { folderTree } from '../project-files/file-state.js';
import { isProjectPath } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { namesIn } from '../project-files/readable-files.js';
import { centralVersionsFile, referencedPackages, referencedVersion, versionDeclarations } from './package-versions.js';

export interface CentralVersion {
  readonly file: string;
  readonly version: string;
  /** The line of the element that declares it, from 1. */
  readonly line: number;
  /** The absolute paths of the projects that use it. A change affects all of them. */
  readonly projects: readonly string[];
}

/**
 * Finds the central version of a package for a project.
 * @returns undefined if there is none, or if the project has its own version of the package
 */
export function centralVersionOf(project: string, packageId: string): CentralVersion | undefined {
  const file = centralVersionsFile(dirname(project));
  const declaration = file && versionDeclarations(file, packageId)[0];
  if (!declaration || referencedVersion(project, packageId) !== undefined) return undefined;
  const { version, line } = declaration;
  return { file, version, line, projects: projectsBelow(file).filter((user) => usesCentralVersion(user, packageId)) };
}

const usesCentralVersion = (project: string, packageId: string) =>
  referencedPackages(project).some((id) => isSameName(id, packageId)) &&
  referencedVersion(project, packageId) === undefined;

const MAX_FOLDERS = 20_000;
const SKIPPED = new Set(['bin', 'obj', 'node_modules']);

/** Returns the projects for which no other central file is nearer. */
function projectsBelow(file: string): string[] {
  const skips = (path: string) => SKIPPED.has(basename(path)) || basename(path).startsWith('.');
  const folders = folderTree(dirname(file), MAX_FOLDERS, skips) ?? [];
  return folders
    .filter((folder) => centralVersionsFile(folder) === file)
    .flatMap((folder) => projectsIn(folder))
    .sort();
}

function projectsIn(folder: string): string[] {
  return namesIn(folder)
    .filter(isProjectPath)
    .map((name) => join(folder, name));
}
