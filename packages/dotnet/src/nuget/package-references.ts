import {
  type Evaluation,
  type Item,
  itemsOf,
  metadataOf,
  type ProjectEvaluation,
  propertyOf,
} from '../msbuild/evaluate.js';
import { projectName } from '../project-files/find-project.js';

/** A PackageReference as MSBuild evaluates it. */
export interface PackageReference {
  readonly name: string;
  /** The effective version or range, also from Directory.Packages.props; absent if there is none. */
  readonly version?: string;
  readonly privateAssets?: string;
  readonly includeAssets?: string;
  /** The SDK added it. */
  readonly isImplicit?: true;
  /** Present if it is not referenced, or not in the same way, for every framework of the project. */
  readonly frameworks?: readonly string[];
}

export interface ProjectReference {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly frameworks?: readonly string[];
}

/** What {@link packageReferencesOf} and {@link projectReferencesOf} ask of an evaluation. */
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

/** Whether versions are managed centrally, in Directory.Packages.props. */
export function isCentrallyManaged({ inner }: ProjectEvaluation): boolean {
  return inner.some((one) => propertyOf(one, 'ManagePackageVersionsCentrally').toLowerCase() === 'true');
}

/** The version that NuGet is asked for: the item's own, its override, or the central one. */
export function requestedVersion(evaluation: Evaluation, item: Item): string {
  const isCentral = propertyOf(evaluation, 'ManagePackageVersionsCentrally').toLowerCase() === 'true';
  const own = metadataOf(item, 'Version');
  if (!isCentral) return own;
  const name = item.include.toLowerCase();
  const central = itemsOf(evaluation, 'PackageVersion').findLast(({ include }) => include.toLowerCase() === name);
  return metadataOf(item, 'VersionOverride') || own || (central ? metadataOf(central, 'Version') : '');
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

/** The entries of all frameworks, each once, with its frameworks where they are not all. */
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
