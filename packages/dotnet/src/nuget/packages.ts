import { type Evaluation, itemsOf, type ProjectEvaluation } from '../msbuild/evaluate.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { type Assets, resolvedPackages } from './assets.js';
import { requestedVersion } from './package-references.js';

/** A package of a project for one framework (docs/spec/dotnet-results.md#package-list-extras). */
export interface ListedPackage {
  readonly name: string;
  readonly requestedVersion?: string;
  readonly resolvedVersion?: string;
  readonly latestVersion?: string;
  readonly framework?: string;
  readonly transitive?: true;
  readonly deprecation?: {
    /** `Legacy`, `CriticalBugs` or `Other`. */
    readonly reasons: readonly string[];
    readonly alternative?: { readonly name: string; readonly versionRange?: string };
  };
  readonly vulnerabilities?: readonly { readonly severity: string; readonly advisoryUrl: string }[];
  /** The files and lines that declare the requested version, such as `Directory.Packages.props:7`. */
  readonly declaredAt?: readonly string[];
  /** The absolute path of the project. Only answers of the CLI have it, because they can be about a solution. */
  readonly project?: string;
}

/**
 * Lists the packages of a restored project as `dotnet list package` does, but from files. Grouped by framework: first
 * the direct packages, then the transitive ones, each sorted by name.
 */
export function packagesOf(evaluation: ProjectEvaluation, assets: Assets): ListedPackage[] {
  return evaluation.inner.flatMap((inner) => frameworkPackages(inner, assets));
}

function frameworkPackages(evaluation: Evaluation, assets: Assets): ListedPackage[] {
  const { framework } = evaluation;
  const resolved = resolvedPackages(assets, framework);
  const direct = itemsOf(evaluation, 'PackageReference').map((item): ListedPackage => {
    const resolvedPackage = resolved.find(({ name }) => isSameName(name, item.include));
    const requested = requestedVersion(evaluation, item);
    return {
      name: resolvedPackage?.name ?? item.include,
      ...(requested && { requestedVersion: requested }),
      ...(resolvedPackage && { resolvedVersion: resolvedPackage.version }),
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

/** The parsed output of `dotnet list package --format json`. */
export interface PackageList {
  readonly packages: readonly ListedPackage[];
  /** The errors and warnings of NuGet. */
  readonly problems: readonly string[];
  /** True if an assets file is missing or too old, so that the command answers only after a restore. */
  readonly needsRestore: boolean;
  /** The sources that NuGet has asked; empty if none. */
  readonly sources: readonly string[];
  /** The absolute paths of the projects that the answer is about. */
  readonly projects: readonly string[];
}

interface PackageOutput {
  readonly id: string;
  /** `"true"` for packages that the SDK references, whose version is printed as a range (SDK 10). */
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

/** Parses the JSON of `dotnet list package` (SDK 8 to 10); returns undefined if the output is not JSON. */
export function parsePackageList(stdout: string): PackageList | undefined {
  const list = parseJson<PackageListOutput>(stdout);
  if (!list) return undefined;
  const problems = (list.problems ?? []).map(({ text }) => text);
  return {
    packages: (list.projects ?? []).flatMap(({ path, frameworks = [] }) =>
      frameworks.flatMap(({ framework, topLevelPackages = [], transitivePackages = [] }) => [
        ...topLevelPackages.map((output) => listedPackage(output, framework, path, false)),
        ...transitivePackages.map((output) => listedPackage(output, framework, path, true)),
      ]),
    ),
    problems,
    needsRestore: problems.some((text) => /No assets file was found|Run restore/i.test(text)),
    sources: list.sources ?? [],
    projects: (list.projects ?? []).map(({ path }) => path),
  };
}

function listedPackage(
  output: PackageOutput,
  framework: string,
  project: string,
  isTransitive: boolean,
): ListedPackage {
  const { resolvedVersion, latestVersion, deprecationReasons, alternativePackage } = output;
  const requestedVersion = asRequested(output);
  return {
    name: output.id,
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
    ...(output.vulnerabilities && {
      vulnerabilities: output.vulnerabilities.map(({ severity, advisoryurl }) => ({
        severity,
        advisoryUrl: advisoryurl,
      })),
    }),
    project,
  };
}

/**
 * Returns the requested version as MSBuild's evaluation has it. For packages that the SDK references, the CLI prints
 * the range `[2.0.3, )` instead of `2.0.3`.
 */
function asRequested({ requestedVersion, autoReferenced }: PackageOutput): string | undefined {
  return autoReferenced === 'true' ? requestedVersion?.replace(/^\[([^,]+), \)$/, '$1') : requestedVersion;
}

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
  readonly hasAnswer: boolean;
  readonly isJson: boolean;
}

/**
 * Parses the JSON of `dotnet package search`: the packages, without duplicates from several sources, and the error of
 * each source that could not be searched. Output that is not JSON becomes a problem.
 */
export function parsePackageSearch(stdout: string): PackageSearch {
  const search = parseJson<SearchOutput>(stdout);
  if (!search) return { packages: [], problems: [stdout.trim()].filter(Boolean), hasAnswer: false, isJson: false };
  const results = search.searchResult ?? [];
  const packages = new Map<string, FoundPackage>();
  for (const found of results.flatMap((result) => result.packages ?? [])) {
    const { id, owners, totalDownloads, description } = found;
    const version = found.latestVersion ?? found.version;
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
