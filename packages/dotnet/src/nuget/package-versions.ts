import { dirname, join } from 'node:path';
import { readRegularText, UnreadableFileError } from '@mortise/plugin/runtime';
import { FileError } from '../project-files/file-error.js';
import { findUpward, foldersUpward } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { attributeOf, groupsOf, isConditional, parseProject } from '../project-files/project-xml.js';
import type { XmlElement } from '../xml/xml.js';
import { normalizeRange } from './version-range.js';

/** Returns the path of the Directory.Packages.props that applies to a folder, if there is one. */
export function centralVersionsFile(folder: string): string | undefined {
  return findUpward(folder, 'Directory.Packages.props');
}

const SHARED = ['Directory.Packages.props', 'Directory.Build.props', 'Directory.Build.targets'];

/** Returns the absolute paths of the Directory files that can apply to a project. They need not exist. */
export function sharedFiles(project: string): string[] {
  return foldersUpward(dirname(project)).flatMap((folder) => SHARED.map((name) => join(folder, name)));
}

/** A place that gives a package a version. With conditions, a package can have several. */
export interface VersionDeclaration {
  readonly packageId: string;
  readonly file: string;
  readonly line: number;
  /** `PackageReference`, `PackageVersion` or `GlobalPackageReference`. */
  readonly element: string;
  /** The version as it is written. */
  readonly version: string;
  /** True if the element or its group has a condition, or is in a `Choose`. */
  readonly isConditional: boolean;
}

/** Returns the declarations of a package in a file, see {@link declarationsIn}. */
export function versionDeclarations(file: string, packageId: string): VersionDeclaration[] {
  return declarationsIn(file).filter((declaration) => isSameName(declaration.packageId, packageId));
}

/**
 * Returns the declarations of package versions in a file, in their order and without an evaluation; none if the file is
 * missing or not an MSBuild file.
 */
export function declarationsIn(file: string): VersionDeclaration[] {
  const { text, groups } = itemGroups(file);
  return groups.flatMap((group) =>
    group.elements.flatMap((item) => {
      const id = attributeOf(item, 'Include') ?? attributeOf(item, 'Update') ?? '';
      if (!ELEMENT.test(item.name) || id.trim() === '') return [];
      const child = item.elements.find(({ name }) => VERSION.test(name))?.text;
      const version = item.attributes.find(({ name }) => VERSION.test(name))?.value ?? child;
      if (version === undefined) return [];
      const isInChoose = group.parent?.name !== 'Project';
      return [
        {
          packageId: id.trim(),
          file,
          line: text.slice(0, item.start).split('\n').length,
          element: item.name,
          version: version.trim(),
          isConditional: isInChoose || isConditional(item) || isConditional(group),
        },
      ];
    }),
  );
}

/** Returns the first version of a package in a file, as it is written; undefined if the file has none. */
export function referencedVersion(file: string, packageId: string): string | undefined {
  return versionDeclarations(file, packageId)[0]?.version;
}

const ELEMENT = /^(?:PackageReference|PackageVersion|GlobalPackageReference)$/i;
const VERSION = /^Version(?:Override)?$/i;

function itemGroups(file: string): { readonly text: string; readonly groups: readonly XmlElement[] } {
  try {
    const text = readRegularText(file);
    return { text, groups: groupsOf(parseProject(text), 'ItemGroup') };
  } catch (error) {
    if (
      error instanceof FileError ||
      error instanceof UnreadableFileError ||
      (error as NodeJS.ErrnoException).code === 'ENOENT'
    )
      return { text: '', groups: [] };
    throw error;
  }
}

/** Returns the ids of the packages that a file itself references; none if it is missing or not an MSBuild file. */
export function referencedPackages(file: string): string[] {
  const items = itemGroups(file).groups.flatMap((group) => group.elements);
  const references = items.filter(({ name }) => /^PackageReference$/i.test(name));
  return references.flatMap((item) => attributeOf(item, 'Include')?.trim() ?? []);
}

/** Finds where projects declare the versions of their packages. Reads each file once. */
export class VersionPlaces {
  readonly #declarations = new Map<string, readonly VersionDeclaration[]>();

  /**
   * Finds the declaration of a version in the project or a Directory file above it. One with a property matches any
   * version if none has the version itself.
   * @returns undefined if another file, a target or the SDK declares the package
   */
  placeOf(project: string, packageId: string, version: string): VersionDeclaration | undefined {
    const declarations = [project, ...sharedFiles(project)]
      .flatMap((file) => this.#declarationsIn(file))
      .filter((declaration) => isSameName(declaration.packageId, packageId));
    const range = normalizeRange(version);
    return (
      declarations.find((declaration) => normalizeRange(declaration.version) === range) ??
      declarations.find((declaration) => declaration.version.includes('$('))
    );
  }

  #declarationsIn(file: string): readonly VersionDeclaration[] {
    const declarations = this.#declarations.get(file) ?? declarationsIn(file);
    this.#declarations.set(file, declarations);
    return declarations;
  }
}
