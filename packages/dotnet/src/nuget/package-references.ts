import {
  type Evaluation,
  type Item,
  itemsOf,
  metadataOf,
  type ProjectEvaluation,
  propertyOf,
} from '../msbuild/evaluate.js';
import { projectName } from '../project-files/find-project.js';

export interface PackageReference {
  readonly name: string;
  /** The effective version or range, which can come from Directory.Packages.props; absent if there is none. */
  readonly version?: string;
  readonly privateAssets?: string;
  readonly includeAssets?: string;
  /** True if the SDK added the reference. */
  readonly isImplicit?: true;
  /** The frameworks with this reference; absent if all frameworks of the project have it in the same way. */
  readonly frameworks?: readonly string[];
}

export interface ProjectReference {
  readonly name: string;
  readonly path: string;
  /** As in {@link PackageReference}. */
  readonly frameworks?: readonly string[];
}

/** The query for {@link packageReferencesOf} and {@link projectReferencesOf}. */
export const REFERENCE_QUERY = {
  properties: ['ManagePackageVersionsCentrally'],
  itemTypes: ['PackageReference', 'PackageVersion', 'ProjectReference'],
} as const;

export function packageReferencesOf(evaluation: ProjectEvaluation): PackageReference[] {
  return mergeFrameworks(evaluation, (inner) =>
    itemsOf(inner, 'PackageReference').map((item) => packageReference(inner, item)),
  );
}

export function projectReferencesOf(evaluation: ProjectEvaluation): ProjectReference[] {
  return mergeFrameworks(evaluation, (inner) =>
    itemsOf(inner, 'ProjectReference').map(({ fullPath }) => ({
      name: projectName(fullPath),
      path: fullPath,
    })),
  );
}

/** True if package versions are managed centrally, in Directory.Packages.props. */
export function isCentrallyManaged({ inner }: ProjectEvaluation): boolean {
  return inner.some((evaluation) => propertyOf(evaluation, 'ManagePackageVersionsCentrally').toLowerCase() === 'true');
}

/**
 * Returns the requested version of a package: the override, the version of the item, or the central one; else empty.
 */
export function requestedVersion(evaluation: Evaluation, item: Item): string {
  const isCentral = propertyOf(evaluation, 'ManagePackageVersionsCentrally').toLowerCase() === 'true';
  const itemVersion = metadataOf(item, 'Version');
  if (!isCentral) return itemVersion;
  const name = item.include.toLowerCase();
  const central = itemsOf(evaluation, 'PackageVersion').findLast(({ include }) => include.toLowerCase() === name);
  return metadataOf(item, 'VersionOverride') || itemVersion || (central ? metadataOf(central, 'Version') : '');
}

function packageReference(evaluation: Evaluation, item: Item): PackageReference {
  const version = requestedVersion(evaluation, item);
  const privateAssets = metadataOf(item, 'PrivateAssets');
  const includeAssets = metadataOf(item, 'IncludeAssets');
  return {
    name: item.include,
    ...(version && { version }),
    ...(privateAssets && { privateAssets }),
    ...(includeAssets && { includeAssets }),
    ...(metadataOf(item, 'IsImplicitlyDefined').toLowerCase() === 'true' && { isImplicit: true }),
  };
}

/** Merges the entries of all frameworks. An entry that not all of them have gets the list of its frameworks. */
export function mergeFrameworks<T extends object>(
  { inner }: ProjectEvaluation,
  entriesOf: (evaluation: Evaluation) => readonly T[],
): (T & { frameworks?: readonly string[] })[] {
  const merged = new Map<string, { entry: T; frameworks: string[] }>();
  for (const evaluation of inner) {
    for (const entry of entriesOf(evaluation)) {
      const key = JSON.stringify(entry);
      const existing = merged.get(key);
      if (!existing) merged.set(key, { entry, frameworks: [evaluation.framework] });
      else if (existing.frameworks.at(-1) !== evaluation.framework) existing.frameworks.push(evaluation.framework);
    }
  }
  return [...merged.values()].map(({ entry, frameworks }) =>
    frameworks.length === inner.length ? entry : { ...entry, frameworks },
  );
}
