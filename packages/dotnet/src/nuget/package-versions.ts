import { readRegularText, UnreadableFileError } from '@mortise/plugin/runtime';
import { FileError } from '../project-files/file-error.js';
import { findUpward } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { attributeOf, groupsOf, parseProject } from '../project-files/project-xml.js';

/** The Directory.Packages.props that applies to a folder, if any. */
export function centralVersionsFile(folder: string): string | undefined {
  return findUpward(folder, 'Directory.Packages.props');
}

/**
 * The version that a file itself gives a package, by PackageReference or PackageVersion, as written. Nothing is
 * evaluated; `undefined` where it gives none or is not an MSBuild file.
 */
export function referencedVersion(file: string, packageId: string): string | undefined {
  for (const group of itemGroups(file)) {
    for (const item of group.elements) {
      const id = attributeOf(item, 'Include') ?? attributeOf(item, 'Update') ?? '';
      if (!/^(?:PackageReference|PackageVersion|GlobalPackageReference)$/i.test(item.name)) continue;
      if (!isSameName(id.trim(), packageId)) continue;
      const child = item.elements.find(({ name }) => VERSION.test(name))?.text;
      const version = item.attributes.find(({ name }) => VERSION.test(name))?.value ?? child;
      if (version !== undefined) return version.trim();
    }
  }
  return undefined;
}

const VERSION = /^Version(?:Override)?$/i;

function itemGroups(file: string) {
  try {
    return groupsOf(parseProject(readRegularText(file)), 'ItemGroup');
  } catch (error) {
    if (
      error instanceof FileError ||
      error instanceof UnreadableFileError ||
      (error as NodeJS.ErrnoException).code === 'ENOENT'
    )
      return [];
    throw error;
  }
}

/** The ids that a project file itself references; none for a file that is not an MSBuild file. */
export function referencedPackages(file: string): string[] {
  const items = itemGroups(file).flatMap((group) => group.elements);
  const references = items.filter(({ name }) => /^PackageReference$/i.test(name));
  return references.flatMap((item) => attributeOf(item, 'Include')?.trim() ?? []);
}
