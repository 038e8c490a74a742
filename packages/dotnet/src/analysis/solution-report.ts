import type { RecommendedAction } from '@mortise/plugin';
import { manual } from '../advice/next-call.js';
import type { EvaluationHost, ProjectEvaluation } from '../msbuild/evaluate.js';
import { evaluateSolution, type ProjectFailure } from '../msbuild/evaluate-solution.js';
import { assetsPath, type ReadAssets } from '../nuget/assets.js';
import { packageReferencesOf, projectReferencesOf } from '../nuget/package-references.js';
import { FileError } from '../project-files/file-error.js';
import { readSolution } from '../project-files/solution-file.js';
import { groupBy } from './group-by.js';
import type { LoadedProject } from './load-project.js';
import { type NameOf, projectNames } from './project-names.js';
import {
  isTestProject,
  loadReported,
  REPORT_QUERY,
  type ReportedProject,
  reportedProject,
} from './reported-project.js';
import { frameworkIssues } from './solution-frameworks.js';
import { SEVERITIES, type SolutionIssue, versionIssues } from './solution-issues.js';
import { validateProject } from './validate.js';

/** A package that more than one project references. */
export interface SharedPackage {
  readonly name: string;
  readonly versions: readonly { readonly version: string; readonly projects: readonly string[] }[];
}

/** The answer of Analyze, Dependencies and Validate for a solution (docs/spec/dotnet-results.md#solution-reports). */
export interface SolutionReport {
  readonly success: true;
  readonly solution: string;
  /** The projects that could be evaluated. */
  readonly projects: readonly ReportedProject[];
  /** The references between projects, by their names. */
  readonly references: readonly { readonly from: string; readonly to: string }[];
  readonly sharedPackages: readonly SharedPackage[];
  /** The number of distinct packages that the projects reference. */
  readonly packageCount: number;
  /** True if no issue is an error. */
  readonly isValid: boolean;
  /** The issues; if one of them is an error, without the recommendations. */
  readonly issues: readonly SolutionIssue[];
  /** Repairs the first error. Absent if there is none. */
  readonly recommendedAction?: RecommendedAction;
  /** Explains why reading the projects was slow, if it was. */
  readonly note?: string;
}

export interface SolutionSource {
  readonly host: EvaluationHost;
  readonly readAssets: ReadAssets;
  /** The absolute path of the folder to which paths in the results are relative. */
  readonly cwd: string;
}

interface RepairableIssue extends SolutionIssue {
  readonly repair?: RecommendedAction;
}

/**
 * Evaluates all projects of a solution together.
 * @throws FileError `not found`, also for a solution without projects; `invalid format`
 * @throws EvaluationError if the folder has no SDK, or the time of the call is over
 */
export async function reportSolution(
  { host, readAssets, cwd }: SolutionSource,
  solution: string,
): Promise<SolutionReport> {
  const listedPaths = readSolution(solution).map(({ absolutePath }) => absolutePath);
  if (listedPaths.length === 0) {
    throw new FileError('not found', `The solution ${solution} has no projects`, 'Add a project to it.');
  }
  const { evaluations, failures, loadError } = await evaluateSolution(host, solution, listedPaths, REPORT_QUERY);
  const loaded = await Promise.all(evaluations.map((evaluation) => loadReported(evaluation, readAssets)));
  const referencedPaths = evaluations.flatMap(projectReferencesOf).map(({ path }) => path);
  const nameOf = projectNames([...listedPaths, ...referencedPaths], cwd);
  const sharedPackages = sharedPackagesOf(evaluations, nameOf);
  const issues: RepairableIssue[] = [
    ...(loadError ? [{ severity: 'error' as const, projects: [], ...loadError }] : []),
    ...failures.map((failure) => failureIssue(failure, nameOf)),
    ...groupIssues(loaded, nameOf),
    ...unusedTests(loaded, nameOf),
    ...frameworkIssues(evaluations, nameOf),
    ...sharedFolderIssues(evaluations, nameOf),
    ...versionIssues(evaluations, nameOf),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const [first] = issues.filter(({ severity }) => severity === 'error');
  return {
    success: true,
    solution,
    projects: loaded.map(reportedProject),
    references: evaluations.flatMap((evaluation) =>
      projectReferencesOf(evaluation).map(({ path }) => ({ from: nameOf(evaluation.project), to: nameOf(path) })),
    ),
    sharedPackages,
    packageCount: new Set(evaluations.flatMap(packageReferencesOf).map(({ name }) => name.toLowerCase())).size,
    isValid: first === undefined,
    issues: issues
      .filter(({ severity }) => !first || severity !== 'recommendation')
      .map(({ repair: _, ...issue }) => issue),
    ...(first && { recommendedAction: first.repair ?? correctionOf(first) }),
  };
}

function correctionOf({ projects, message }: SolutionIssue): RecommendedAction {
  return manual(`Correct this first: ${[...projects.slice(0, 1), message].join(': ')}`);
}

function sharedPackagesOf(evaluations: readonly ProjectEvaluation[], nameOf: NameOf): SharedPackage[] {
  const packages = new Map<string, { name: string; versions: Map<string, Set<string>> }>();
  for (const evaluation of evaluations) {
    for (const { name, version = '', isImplicit } of packageReferencesOf(evaluation)) {
      if (isImplicit) continue;
      const entry = packages.get(name.toLowerCase()) ?? { name, versions: new Map<string, Set<string>>() };
      packages.set(name.toLowerCase(), entry);
      entry.versions.set(version, (entry.versions.get(version) ?? new Set()).add(nameOf(evaluation.project)));
    }
  }
  return [...packages.values()]
    .map(({ name, versions }) => ({
      name,
      versions: [...versions].map(([version, projects]) => ({ version, projects: [...projects] })),
    }))
    .filter(({ versions }) => new Set(versions.flatMap(({ projects }) => projects)).size > 1)
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function failureIssue({ project, code, message }: ProjectFailure, nameOf: NameOf): SolutionIssue {
  return { severity: 'error', projects: [nameOf(project)], ...(code && { code }), message };
}

/** Warns about test projects without project references, unless all projects of the solution are test projects. */
function unusedTests(loaded: readonly LoadedProject[], nameOf: NameOf): SolutionIssue[] {
  const isTest = (project: LoadedProject) =>
    isTestProject(project, packageReferencesOf(project.evaluation)).isTestProject === true;
  const tests = loaded.filter(isTest);
  const unused = tests.filter(({ evaluation }) => projectReferencesOf(evaluation).length === 0);
  if (unused.length === 0 || tests.length === loaded.length) return [];
  return [
    {
      severity: 'warning',
      projects: unused.map(({ evaluation }) => nameOf(evaluation.project)),
      message: 'A test project references no project of the solution: add a reference to what it tests.',
    },
  ];
}

/** Collects the issues of each project. Identical ones become one issue with all of their projects. */
function groupIssues(loaded: readonly LoadedProject[], nameOf: NameOf): RepairableIssue[] {
  const issues = new Map<string, RepairableIssue & { projects: string[] }>();
  for (const project of loaded) {
    const { errors, warnings, recommendations, recommendedAction: repair } = validateProject(project);
    const messagesBySeverity = { error: errors, warning: warnings, recommendation: recommendations };
    for (const [severity, messages] of Object.entries(messagesBySeverity)) {
      for (const message of messages) {
        const key = `${severity} ${message}`;
        const issue = issues.get(key) ?? {
          severity: severity as SolutionIssue['severity'],
          projects: [],
          message,
          ...(repair && message === errors[0] && { repair }),
        };
        issues.set(key, issue);
        issue.projects.push(nameOf(project.evaluation.project));
      }
    }
  }
  return [...issues.values()];
}

/** Warns about projects that share an obj folder: only the one that was restored last counts as restored. */
function sharedFolderIssues(evaluations: readonly ProjectEvaluation[], nameOf: NameOf): SolutionIssue[] {
  return [...groupBy(evaluations, assetsPath)]
    .filter(([path, users]) => path !== '' && users.length > 1)
    .map(([, users]) => ({
      severity: 'warning',
      projects: users.map(({ project }) => nameOf(project)),
      message:
        'These projects share the folder obj, so a restore of one replaces that of the other. Move one into a folder of its own.',
    }));
}
