import { relative, sep } from 'node:path';
import type { EvaluationHost } from '../msbuild/evaluate.js';
import { evaluateTogether } from '../msbuild/evaluate-solution.js';
import { assetsPath, type ReadAssets } from '../nuget/assets.js';
import { projectName } from '../project-files/find-project.js';
import { loadReported, REPORT_QUERY, type ReportedProject, reportedProject } from './reported-project.js';
import type { SolutionIssue } from './solution-issues.js';
import type { Workspace } from './workspace.js';

/** A project of the resource `dotnet://workspace`. One that was not evaluated has only its name and path. */
export type WorkspaceProject = Pick<ReportedProject, 'name' | 'path'> &
  Partial<Pick<ReportedProject, 'targetFrameworks' | 'packageCount' | 'isTestProject'>>;

/** The contents of the resource `dotnet://workspace` (docs/spec/dotnet-resources.md#workspace-rules). */
export interface WorkspaceReport {
  readonly solution?: string;
  readonly projects: readonly WorkspaceProject[];
  /** The reasons why something is missing from the report; absent if nothing is missing. */
  readonly issues?: readonly SolutionIssue[];
}

/**
 * Evaluates the projects of a workspace.
 * @param onRead gets the files that the evaluations depend on
 * @throws EvaluationError, FileError, HostError if no project can be evaluated
 */
export async function reportWorkspace(
  { host, readAssets }: { readonly host: EvaluationHost; readonly readAssets: ReadAssets },
  workspace: Workspace,
  onRead: (files: readonly string[]) => void,
): Promise<WorkspaceReport> {
  const { root, solution, projects } = workspace;
  if (projects.length === 0) return listedProjects(workspace);
  const evaluated = await evaluateTogether(host, { folder: root, solution, projects }, REPORT_QUERY);
  const { evaluations, failures, loadError, files } = evaluated;
  onRead([...files, ...evaluations.map(assetsPath).filter(Boolean)]);
  const loaded = await Promise.all(evaluations.map((evaluation) => loadReported(evaluation, readAssets)));
  const reports = new Map(loaded.map((project) => [project.evaluation.project, reportedProject(project)]));
  return listedProjects(
    workspace,
    [
      ...(loadError ? [{ severity: 'error' as const, projects: [], ...loadError }] : []),
      ...failures.map(({ project, ...failure }) => {
        return { severity: 'error' as const, projects: [pathFrom(root, project)], ...failure };
      }),
    ],
    reports,
  );
}

/** Describes a workspace. Projects without a report have only their name and path. */
export function listedProjects(
  { root, solution, projects }: Workspace,
  issues: readonly SolutionIssue[] = [],
  reports: ReadonlyMap<string, ReportedProject> = new Map(),
): WorkspaceReport {
  return {
    ...(solution && { solution: pathFrom(root, solution) }),
    projects: projects.map((project) => {
      const named = { name: projectName(project), path: pathFrom(root, project) };
      const report = reports.get(project);
      if (report === undefined) return named;
      const { targetFrameworks, packageCount, isTestProject } = report;
      return { ...named, targetFrameworks, packageCount, ...(isTestProject !== undefined && { isTestProject }) };
    }),
    ...(issues.length > 0 && { issues }),
  };
}

function pathFrom(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}
