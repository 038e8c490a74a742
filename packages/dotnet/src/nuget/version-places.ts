import { isSameName } from '../project-files/msbuild-syntax.js';
import { declarationsIn, sharedFiles, type VersionDeclaration } from './package-versions.js';
import { normalizeRange } from './version-range.js';

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
