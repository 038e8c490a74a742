import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import {
  centralVersionsFile,
  referencedPackages,
  sharedFiles,
  versionDeclarations,
} from '../nuget/package-versions.js';
import { projectName } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { withReferences } from '../project-files/reference-circle.js';
import { isSolutionPath, readSolution } from '../project-files/solution-file.js';

export interface PackagePlace {
  /** True if the project itself references the package, so that `dotnet_package` can change its version. */
  readonly isReferenced: boolean;
  /** The file and the line that declare the version, such as `/src/Directory.Packages.props, line 7`. */
  readonly versionAt?: string;
}

/** Finds the declaration of a package in the files of a project, without evaluating them. */
export function placeOfPackage(project: string, packageId: string): PackagePlace {
  const isReferenced = referencedPackages(project).some((id) => isSameName(id, packageId));
  const [declaration] = [project, ...sharedFiles(project)].flatMap((path) => versionDeclarations(path, packageId));
  return { isReferenced, ...(declaration && { versionAt: `${declaration.file}, line ${declaration.line}` }) };
}

/** Returns the ids of the packages with a central version; undefined if there is no Directory.Packages.props. */
export function centralPackages(
  project: string,
): { readonly file: string; readonly ids: readonly string[] } | undefined {
  const file = centralVersionsFile(dirname(project));
  if (file === undefined) return undefined;
  const items = readRegularText(file).matchAll(/<PackageVersion\b[^>]*?\bInclude\s*=\s*["']\s*([^"'\s]+)\s*["']/gi);
  return { file, ids: [...items].map(([, id]) => id!) };
}

/** Finds the project of that name among `project` and the projects that it references, directly or not. */
export function projectNamed(name: string, project: string): string | undefined {
  return withReferences(project).find((file) => projectName(basename(file)) === name);
}

/**
 * Returns the first project of a solution that references the package itself. A project, and a solution without such a
 * project, is returned as it is.
 */
export function referencingProject(project: string, packageId: string): string {
  if (!isSolutionPath(project) || !existsSync(project)) return project;
  const references = (file: string) => referencedPackages(file).some((id) => isSameName(id, packageId));
  return readSolution(project).find(({ absolutePath }) => references(absolutePath))?.absolutePath ?? project;
}
