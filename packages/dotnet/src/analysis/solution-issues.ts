import type { ProjectEvaluation } from '../msbuild/evaluate.js';
import { packageReferencesOf } from '../nuget/package-references.js';
import { targetFrameworksOf } from './analyze.js';
import { groupBy } from './group-by.js';
import type { NameOf } from './project-names.js';

/** The severities in the order in which issues are sorted. */
export const SEVERITIES = ['error', 'warning', 'recommendation'] as const;

export interface SolutionIssue {
  readonly severity: (typeof SEVERITIES)[number];
  /** The names of the affected projects; empty if the issue is about the solution itself. */
  readonly projects: readonly string[];
  readonly code?: string;
  readonly message: string;
}

interface PackageUse {
  readonly package: string;
  readonly version: string;
  readonly project: string;
  readonly frameworks: readonly string[];
}

/**
 * Warns about each package that two projects reference in different versions for the same framework. Versions that
 * differ only by framework are intended.
 */
export function versionIssues(evaluations: readonly ProjectEvaluation[], nameOf: NameOf): SolutionIssue[] {
  const uses = evaluations.flatMap((evaluation) => usesOf(evaluation, nameOf));
  return [...groupBy(uses, (use) => use.package.toLowerCase()).values()].flatMap((packageUses) => {
    const differing = packageUses.filter((use) => packageUses.some((other) => differs(use, other)));
    return differing.length === 0 ? [] : [versionIssue(differing)];
  });
}

function usesOf(evaluation: ProjectEvaluation, nameOf: NameOf): PackageUse[] {
  return packageReferencesOf(evaluation)
    .filter(({ isImplicit }) => !isImplicit)
    .map(({ name, version = '', frameworks = targetFrameworksOf(evaluation) }) => ({
      package: name,
      version,
      project: nameOf(evaluation.project),
      frameworks,
    }));
}

function differs(use: PackageUse, other: PackageUse): boolean {
  const isSameFramework = use.frameworks.some((framework) => other.frameworks.includes(framework));
  return use.project !== other.project && use.version !== other.version && isSameFramework;
}

function versionIssue(uses: readonly PackageUse[]): SolutionIssue {
  const versions = [...groupBy(uses, ({ version }) => version)].map(
    ([version, users]) => `${version || 'no version'} (${users.map(({ project }) => project).join(', ')})`,
  );
  return {
    severity: 'warning',
    projects: [...new Set(uses.map(({ project }) => project))],
    message: `The package ${uses[0]!.package} is used in ${versions.length} versions: ${versions.join(', ')}.`,
  };
}
