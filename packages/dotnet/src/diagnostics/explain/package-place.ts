import { basename, dirname, join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { centralVersionsFile, referencedPackages, referencedVersion } from '../../nuget/package-versions.js';
import { foldersUpward, projectName } from '../../project-files/find-project.js';
import { isSameName } from '../../project-files/msbuild-syntax.js';
import { withReferences } from '../../project-files/reference-circle.js';

/** Where a project gets a package from. */
export interface PackagePlace {
  /** The project itself references it, so that `dotnet_package` can change its version. */
  readonly isReferenced: boolean;
  /** The file and the line that give it a version; `/src/Directory.Packages.props, line 7`. */
  readonly versionAt?: string;
}

const SHARED = ['Directory.Packages.props', 'Directory.Build.props', 'Directory.Build.targets'];

/** Where the files of a project declare a package. Nothing is evaluated. */
export function placeOfPackage(project: string, packageId: string): PackagePlace {
  const isReferenced = referencedPackages(project).some((id) => isSameName(id, packageId));
  const file = [project, ...sharedFiles(project)].find((path) => referencedVersion(path, packageId) !== undefined);
  return { isReferenced, ...(file !== undefined && { versionAt: `${file}${lineOf(file, packageId)}` }) };
}

/** MSBuild imports these files into each project of their folder and below it, whether they exist or not; absolute. */
export function sharedFiles(project: string): string[] {
  return foldersUpward(dirname(project)).flatMap((folder) => SHARED.map((name) => join(folder, name)));
}

function lineOf(file: string, packageId: string): string {
  const lines = readRegularText(file).split('\n');
  const attribute = new RegExp(`\\b(?:Include|Update)\\s*=\\s*["']\\s*${escaped(packageId)}\\s*["']`, 'i');
  const index = lines.findIndex((line) => attribute.test(line));
  return index < 0 ? '' : `, line ${index + 1}`;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Reads which packages the central file of a project gives a version. Undefined if the project has no central file. */
export function centralPackages(
  project: string,
): { readonly file: string; readonly ids: readonly string[] } | undefined {
  const file = centralVersionsFile(dirname(project));
  if (file === undefined) return undefined;
  const items = readRegularText(file).matchAll(/<PackageVersion\b[^>]*?\bInclude\s*=\s*["']\s*([^"'\s]+)\s*["']/gi);
  return { file, ids: [...items].map(([, id]) => id!) };
}

/** The project of that name among a project and those that it references, directly or not. */
export function projectNamed(name: string, project: string): string | undefined {
  return withReferences(project).find((file) => projectName(basename(file)) === name);
}
