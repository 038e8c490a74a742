import { basename, dirname, join } from 'node:path';
import { folderTree } from '../project-files/file-state.js';
import { isProjectPath } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { namesIn } from '../project-files/readable-files.js';
import { centralVersionsFile, referencedPackages, referencedVersion, versionDeclarations } from './package-versions.js';

/** The version of a package in a Directory.Packages.props. */
export interface CentralVersion {
  /** Absolute. */
  readonly file: string;
  readonly version: string;
  /** Of the element that declares it. */
  readonly line: number;
  /** The projects that take it, absolute: who changes it changes them all. */
  readonly projects: readonly string[];
}

/** Undefined if the project has no central versions, or its own version of the package. */
export function centralVersionOf(project: string, packageId: string): CentralVersion | undefined {
  const file = centralVersionsFile(dirname(project));
  const declaration = file && versionDeclarations(file, packageId)[0];
  if (!declaration || referencedVersion(project, packageId) !== undefined) return undefined;
  const { version, line } = declaration;
  return { file, version, line, projects: projectsBelow(file).filter((one) => hasVersion(one, packageId)) };
}

const hasVersion = (project: string, packageId: string) =>
  referencedPackages(project).some((id) => isSameName(id, packageId)) &&
  referencedVersion(project, packageId) === undefined;

const MAX_FOLDERS = 20_000;
const SKIPPED = new Set(['bin', 'obj', 'node_modules']);

/** The projects that a central file holds for: no nearer one does. */
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
