import { type Evaluation, itemsOf, type ProjectEvaluation } from '../msbuild/evaluate.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { type Assets, resolvedPackages } from './assets.js';
import { requestedVersion } from './package-references.js';

/** A package of a project, for one of its frameworks (docs/spec/dotnet-results.md#package-list-extras). */
export interface ListedPackage {
  readonly name: string;
  readonly requestedVersion?: string;
  readonly resolvedVersion?: string;
  readonly latestVersion?: string;
  readonly framework?: string;
  readonly transitive?: true;
  readonly deprecation?: {
    /** `Legacy`, `CriticalBugs`, `Other`. */
    readonly reasons: readonly string[];
    readonly alternative?: { readonly name: string; readonly versionRange?: string };
  };
  readonly vulnerabilities?: readonly { readonly severity: string; readonly advisoryUrl: string }[];
  /** The files and lines that declare the requested version: `Directory.Packages.props:7`. */
  readonly declaredAt?: readonly string[];
  /** Absolute; only in the answer of the CLI, which may be about a solution. */
  readonly project?: string;
}

/** The packages of a restored project, by framework and then by name: the same as `dotnet list package`, but from files. */
export function packagesOf(evaluation: ProjectEvaluation, assets: Assets): ListedPackage[] {
  return evaluation.inner.flatMap((inner) => frameworkPackages(inner, assets));
}

function frameworkPackages(evaluation: Evaluation, assets: Assets): ListedPackage[] {
  const { framework } = evaluation;
  const resolved = resolvedPackages(assets, framework);
  const direct = itemsOf(evaluation, 'PackageReference').map((item): ListedPackage => {
    const found = resolved.find(({ name }) => isSameName(name, item.include));
    const requested = requestedVersion(evaluation, item);
    return {
      name: found?.name ?? item.include,
      ...(requested && { requestedVersion: requested }),
      ...(found && { resolvedVersion: found.version }),
      framework,
    };
  });
  const names = new Set(direct.map(({ name }) => name.toLowerCase()));
  const transitive = resolved
    .filter(({ name }) => !names.has(name.toLowerCase()))
    .map(({ name, version }): ListedPackage => ({ name, resolvedVersion: version, framework, transitive: true }));
  return [...direct.sort(byName), ...transitive.sort(byName)];
}

function byName(a: ListedPackage, b: ListedPackage): number {
  return a.name.localeCompare(b.name, 'en');
}

/** The output of `dotnet list package --format json`. */
export interface PackageList {
  readonly packages: readonly ListedPackage[];
  /** Errors and warnings, as sentences of NuGet. */
  readonly problems: readonly string[];
  /** An assets file is missing or too old: after a restore the same command answers. */
  readonly needsRestore: boolean;
  /** The sources that were asked, where any was. */
  readonly sources: readonly string[];
  /** The projects that the answer is about, absolute. */
  readonly projects: readonly string[];
}

interface PackageOutput {
  readonly id: string;
  /** `"true"` for what the SDK references, whose version is printed as a range (SDK 10). */
  readonly autoReferenced?: string;
  readonly requestedVersion?: string;
  readonly resolvedVersion?: string;
  readonly latestVersion?: string;
  readonly deprecationReasons?: readonly string[];
  readonly alternativePackage?: { readonly id: string; readonly versionRange?: string };
  readonly vulnerabilities?: readonly { readonly severity: string; readonly advisoryurl: string }[];
}

interface PackageListOutput {
  readonly problems?: readonly { readonly text: string }[];
  readonly sources?: readonly string[];
  readonly projects?: readonly {
    readonly path: string;
    readonly frameworks?: readonly {
      readonly framework: string;
      readonly topLevelPackages?: readonly PackageOutput[];
      readonly transitivePackages?: readonly PackageOutput[];
    }[];
  }[];
}

/** Reads the JSON of `dotnet list package` (SDK 8 to 10); `undefined` where it printed something else. */
export function parsePackageList(stdout: string): PackageList | undefined {
  const list = parseJson<PackageListOutput>(stdout);
  if (!list) return undefined;
  const problems = (list.problems ?? []).map(({ text }) => text);
  return {
    packages: (list.projects ?? []).flatMap(({ path, frameworks = [] }) =>
      frameworks.flatMap(({ framework, topLevelPackages = [], transitivePackages = [] }) => [
        ...topLevelPackages.map((one) => listedPackage(one, framework, path, false)),
        ...transitivePackages.map((one) => listedPackage(one, framework, path, true)),
      ]),
    ),
    problems,
    needsRestore: problems.some((text) => /No assets file was found|Run restore/i.test(text)),
    sources: list.sources ?? [],
    projects: (list.projects ?? []).map(({ path }) => path),
  };
}

function listedPackage(one: PackageOutput, framework: string, project: string, isTransitive: boolean): ListedPackage {
  const { resolvedVersion, latestVersion, deprecationReasons, alternativePackage } = one;
  const requestedVersion = asRequested(one);
  return {
    name: one.id,
    ...(requestedVersion && { requestedVersion }),
    ...(resolvedVersion && { resolvedVersion }),
    ...(latestVersion && { latestVersion }),
    framework,
    ...(isTransitive && { transitive: true }),
    ...(deprecationReasons && {
      deprecation: {
        reasons: deprecationReasons,
        ...(alternativePackage && {
          alternative: {
            name: alternativePackage.id,
            ...(alternativePackage.versionRange && { versionRange: alternativePackage.versionRange }),
          },
        }),
      },
    }),
    ...(one.vulnerabilities && {
      vulnerabilities: one.vulnerabilities.map(({ severity, advisoryurl }) => ({ severity, advisoryUrl: advisoryurl })),
    }),
    project,
  };
}

/** As the project evaluates to it: `2.0.3` where `[2.0.3, )` is printed. */
function asRequested({ requestedVersion, autoReferenced }: PackageOutput): string | undefined {
  return autoReferenced === 'true' ? requestedVersion?.replace(/^\[([^,]+), \)$/, '$1') : requestedVersion;
}

/** A package that `dotnet package search` found. */
export interface FoundPackage {
  readonly id: string;
  readonly version?: string;
  readonly owners?: string;
  readonly totalDownloads?: number;
  readonly description?: string;
}

interface SearchOutput {
  readonly problems?: readonly { readonly text: string }[];
  readonly searchResult?: readonly {
    readonly sourceName: string;
    readonly problems?: readonly { readonly text: string }[];
    readonly packages?: readonly (FoundPackage & { readonly latestVersion?: string })[];
  }[];
}

export interface PackageSearch {
  readonly packages: FoundPackage[];
  /** The errors of sources that could not be searched. */
  readonly problems: string[];
  /** At least one source was searched. */
  readonly hasAnswer: boolean;
  /** Whether the output is JSON, as requested. */
  readonly isJson: boolean;
}

/**
 * Reads the JSON of `dotnet package search`: the packages found, without duplicates from several sources, and the error of each source
 * that could not be searched.
 */
export function parsePackageSearch(stdout: string): PackageSearch {
  const search = parseJson<SearchOutput>(stdout);
  if (!search) return { packages: [], problems: [stdout.trim()].filter(Boolean), hasAnswer: false, isJson: false };
  const results = search.searchResult ?? [];
  const packages = new Map<string, FoundPackage>();
  for (const one of results.flatMap((result) => result.packages ?? [])) {
    const { id, owners, totalDownloads, description } = one;
    const version = one.latestVersion ?? one.version;
    const key = `${id} ${version}`.toLowerCase();
    if (packages.has(key)) continue;
    packages.set(key, {
      id,
      ...(version && { version }),
      ...(owners && { owners }),
      ...(typeof totalDownloads === 'number' && { totalDownloads }),
      ...(description && { description }),
    });
  }
  const problems = [
    ...(search.problems ?? []).map(({ text }) => text),
    ...results.flatMap((result) => (result.problems ?? []).map(({ text }) => `${result.sourceName}: ${text}`)),
  ];
  const hasAnswer = results.some((result) => (result.problems ?? []).length === 0);
  return { packages: [...packages.values()], problems, hasAnswer: hasAnswer || packages.size > 0, isJson: true };
}

function parseJson<T>(text: string): T | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as T) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export { type DependencyPath, parseNuGetWhy } from './parse-nuget-why.js';
