import type { ProjectEvaluation } from '../msbuild/evaluate.js';
import { packageReferencesOf } from '../nuget/package-references.js';
import { targetFrameworksOf } from './analyze.js';
import { groupBy } from './group-by.js';
import type { NameOf } from './project-names.js';

/** Gravest first, as issues are sorted. */
export const SEVERITIES = ['error', 'warning', 'recommendation'] as const;

/** What is wrong, doubtful or could be better in a solution. */
export interface SolutionIssue {
  readonly severity: (typeof SEVERITIES)[number];
  /** The names of the projects that it is about; empty if it is about the solution itself. */
  readonly projects: readonly string[];
  readonly code?: string;
  readonly message: string;
}

/** A package that a project references in one version. */
interface Use {
  readonly package: string;
  readonly version: string;
  readonly project: string;
  readonly frameworks: readonly string[];
}

/**
 * A warning for each package that two projects reference in different versions for the same framework. Versions that
 * differ by framework are meant so.
 */
export function versionIssues(evaluations: readonly ProjectEvaluation[], nameOf: NameOf): SolutionIssue[] {
  const uses = evaluations.flatMap((evaluation) => usesOf(evaluation, nameOf));
  return [...groupBy(uses, (use) => use.package.toLowerCase()).values()].flatMap((all) => {
    const differing = all.filter((use) => all.some((other) => differs(use, other)));
    return differing.length === 0 ? [] : [versionIssue(differing)];
  });
}

function usesOf(evaluation: ProjectEvaluation, nameOf: NameOf): Use[] {
  return packageReferencesOf(evaluation)
    .filter(({ isImplicit }) => !isImplicit)
    .map(({ name, version = '', frameworks = targetFrameworksOf(evaluation) }) => ({
      package: name,
      version,
      project: nameOf(evaluation.project),
      frameworks,
    }));
}

function differs(one: Use, other: Use): boolean {
  const isSameFramework = one.frameworks.some((framework) => other.frameworks.includes(framework));
  return one.project !== other.project && one.version !== other.version && isSameFramework;
}

function versionIssue(uses: readonly Use[]): SolutionIssue {
  const versions = [...groupBy(uses, ({ version }) => version)].map(
    ([version, users]) => `${version || 'no version'} (${users.map(({ project }) => project).join(', ')})`,
  );
  return {
    severity: 'warning',
    projects: [...new Set(uses.map(({ project }) => project))],
    message: `The package ${uses[0]!.package} is used in ${versions.length} versions: ${versions.join(', ')}.`,
  };
}
