import { dirname, join } from 'node:path';
import { readRegularText, UnreadableFileError } from '@mortise/plugin/runtime';
import { FileError } from '../project-files/file-error.js';
import { findUpward, foldersUpward } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { attributeOf, groupsOf, isConditional, parseProject } from '../project-files/project-xml.js';
import type { XmlElement } from '../xml/xml.js';
import { normalizeRange } from './version-range.js';

/** The Directory.Packages.props that applies to a folder, if any. */
export function centralVersionsFile(folder: string): string | undefined {
  return findUpward(folder, 'Directory.Packages.props');
}

const SHARED = ['Directory.Packages.props', 'Directory.Build.props', 'Directory.Build.targets'];

/** MSBuild imports these files into each project of their folder and below it, whether they exist or not; absolute. */
export function sharedFiles(project: string): string[] {
  return foldersUpward(dirname(project)).flatMap((folder) => SHARED.map((name) => join(folder, name)));
}

/** One place where a package gets a version: with conditions, a package can have several. */
export interface VersionDeclaration {
  readonly packageId: string;
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  /** `PackageReference`, `PackageVersion` or `GlobalPackageReference`. */
  readonly element: string;
  /** As written. */
  readonly version: string;
  /** The element or its group has a condition, or is in a `Choose`. */
  readonly isConditional: boolean;
}

/** What a file itself declares of a package, in its order; nothing is evaluated, and nothing is in no MSBuild file. */
export function versionDeclarations(file: string, packageId: string): VersionDeclaration[] {
  return declarationsIn(file).filter((one) => isSameName(one.packageId, packageId));
}

/** What a file itself declares of all packages, in its order. */
export function declarationsIn(file: string): VersionDeclaration[] {
  const { text, groups } = itemGroups(file);
  return groups.flatMap((group) =>
    group.elements.flatMap((item) => {
      const id = attributeOf(item, 'Include') ?? attributeOf(item, 'Update') ?? '';
      if (!ELEMENT.test(item.name) || id.trim() === '') return [];
      const child = item.elements.find(({ name }) => VERSION.test(name))?.text;
      const version = item.attributes.find(({ name }) => VERSION.test(name))?.value ?? child;
      if (version === undefined) return [];
      const isChosen = group.parent?.name !== 'Project';
      return [
        {
          packageId: id.trim(),
          file,
          line: text.slice(0, item.start).split('\n').length,
          element: item.name,
          version: version.trim(),
          isConditional: isChosen || isConditional(item) || isConditional(group),
        },
      ];
    }),
  );
}

/** The first version that a file itself gives a package, as written. */
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

/** The ids that a project file itself references; none for a file that is not an MSBuild file. */
export function referencedPackages(file: string): string[] {
  const items = itemGroups(file).groups.flatMap((group) => group.elements);
  const references = items.filter(({ name }) => /^PackageReference$/i.test(name));
  return references.flatMap((item) => attributeOf(item, 'Include')?.trim() ?? []);
}

/** Finds where projects declare the versions of their packages. Reads each file once. */
export class VersionPlaces {
  readonly #declarations = new Map<string, readonly VersionDeclaration[]>();

  /**
   * The declaration, in the project or in a Directory file above it, that has this version or names it by a property.
   * Undefined where none has, because another file, a target or the SDK declares the package then.
   */
  placeOf(project: string, packageId: string, version: string): VersionDeclaration | undefined {
    const declarations = [project, ...sharedFiles(project)]
      .flatMap((file) => this.#declarationsIn(file))
      .filter((one) => isSameName(one.packageId, packageId));
    const range = normalizeRange(version);
    return (
      declarations.find((one) => normalizeRange(one.version) === range) ??
      declarations.find((one) => one.version.includes('$('))
    );
  }

  #declarationsIn(file: string): readonly VersionDeclaration[] {
    const found = this.#declarations.get(file) ?? declarationsIn(file);
    this.#declarations.set(file, found);
    return found;
  }
}
