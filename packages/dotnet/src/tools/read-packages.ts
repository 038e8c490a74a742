import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ActionContext, ActionError } from '../actions/action.js';
import { InvalidParameterError } from '../actions/invalid-parameter.js';
import { diagnosticError } from '../advice/diagnostic-error.js';
import { LOAD_QUERY, loadProject, readRestored } from '../analysis/load-project.js';
import type { ProjectEvaluation } from '../msbuild/evaluate.js';
import { evaluateSolution } from '../msbuild/evaluate-solution.js';
import { type Assets, assetsPath, type ReadAssets } from '../nuget/assets.js';
import { type ListedPackage, packagesOf } from '../nuget/packages.js';
import { isProjectPath, projectName } from '../project-files/find-project.js';
import { isSolutionPath, readSolution } from '../project-files/solution-file.js';

/** The packages of a project, or of the projects of a solution, from evaluations and assets files. */
export interface ReadPackages {
  readonly packages: readonly ListedPackage[];
  /** Messages about projects that could not be read. */
  readonly problems: readonly string[];
  /** The names of the projects whose resolved versions are unknown. */
  readonly unrestored: readonly string[];
}

/**
 * Reads the packages for List. Returns undefined if there is no project, because the CLI reports that itself.
 * @throws InvalidParameterError for a folder with several projects or solutions
 * @throws ActionError for a project whose restore failed, with the errors of the restore
 * @throws EvaluationError, FileError
 */
export async function readPackages(call: ActionContext): Promise<ReadPackages | undefined> {
  const path = projectOrSolution(call);
  if (path === undefined) return undefined;
  const all = isSolutionPath(path) ? await readSolutionPackages(call, path) : await readProjectPackages(call, path);
  const { framework, includeTransitive } = call.args;
  const isRequested = (listed: ListedPackage) =>
    (includeTransitive || !listed.transitive) && (framework === undefined || listed.framework === framework);
  return { ...all, packages: all.packages.filter(isRequested) };
}

/**
 * Returns the project or solution of the call, or the only one in its folder; undefined if there is none.
 * @throws InvalidParameterError for a folder with several projects or solutions
 */
export function projectOrSolution(call: ActionContext): string | undefined {
  const path = call.resolve(call.args.project ?? '.');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats && (isProjectPath(path) || isSolutionPath(path)) ? path : undefined;
  const names = readdirSync(path).filter((name) => isProjectPath(name) || isSolutionPath(name));
  const candidates = names.filter((name) => !/\.slnf$/i.test(name));
  if (candidates.length < 2) return candidates[0] && join(path, candidates[0]);
  throw new InvalidParameterError('project', 'invalid value', `${path} contains more than one project or solution`, {
    hint: `Name one of them as project: ${candidates.slice(0, 10).join(', ')}`,
    alternatives: candidates.slice(0, 10),
  });
}

const NO_ASSETS: Assets = { targets: {}, project: { frameworks: {} } };

async function readProjectPackages(call: ActionContext, project: string): Promise<ReadPackages> {
  const source = call.services.projects(call);
  const { evaluation } = await loadProject(source, project, { properties: [], itemTypes: [] });
  return { problems: [], ...(await packagesIn(evaluation, source.readAssets)) };
}

async function readSolutionPackages(call: ActionContext, solution: string): Promise<ReadPackages> {
  const { host, readAssets } = call.services.solutions(call);
  const projects = readSolution(solution).map(({ absolutePath }) => absolutePath);
  const { evaluations, failures } = await evaluateSolution(host, solution, projects, LOAD_QUERY);
  const read = await Promise.all(evaluations.map((evaluation) => packagesIn(evaluation, readAssets)));
  const failed = failures.map(
    ({ project, code, message }) => `${projectName(project)}: ${code ? `${code}: ` : ''}${message}`,
  );
  return {
    packages: read.flatMap(({ packages }) => packages),
    unrestored: read.flatMap(({ unrestored }) => unrestored),
    problems: failed,
  };
}

/**
 * Reads the packages of an evaluated project. The versions in an assets file that is older than the project are left
 * out, because they may be wrong.
 * @throws ActionError if the last restore failed
 */
async function packagesIn(
  evaluation: ProjectEvaluation,
  readAssets: ReadAssets,
): Promise<Pick<ReadPackages, 'packages' | 'unrestored'>> {
  const { project } = evaluation;
  const path = assetsPath(evaluation);
  const assets = path === '' ? undefined : await readAssets(path);
  const restoreErrors = assets?.logs?.filter(({ level }) => level === 'Error') ?? [];
  if (restoreErrors.length > 0) throw restoreFailed(project, restoreErrors);
  const isRestored = assets !== undefined && (await readRestored(evaluation, readAssets));
  const packages = packagesOf(evaluation, isRestored ? assets : NO_ASSETS).map((listed) => ({ ...listed, project }));
  return { packages, unrestored: isRestored || path === '' ? [] : [projectName(project)] };
}

function restoreFailed(project: string, logs: NonNullable<Assets['logs']>): ActionError {
  const errors = logs.map(({ code = 'NU1000', message = 'The restore failed' }) =>
    diagnosticError(
      { severity: 'error', code, message, projects: [project], frameworks: [], raw: message },
      { code, message, project },
    ),
  );
  const message = `The packages of ${projectName(project)} are not known: its last restore failed: ${errors[0]!.message}`;
  return new ActionError(message, { errors, structured: { packages: [] } });
}
