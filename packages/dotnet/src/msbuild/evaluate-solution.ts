import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type EvaluationHost, type EvaluationQuery, evaluationOf, type ProjectEvaluation } from './evaluate.js';
import { type LoadError, type ReadProject, readProjects } from './read-projects.js';
import { responseProperties } from './response-files.js';

export interface ProjectFailure {
  readonly project: string;
  readonly code?: string;
  readonly message: string;
}

export interface SolutionEvaluation {
  readonly evaluations: readonly ProjectEvaluation[];
  readonly failures: readonly ProjectFailure[];
  /** The reason why MSBuild does not load the solution. The projects were evaluated nevertheless. */
  readonly loadError?: Omit<ProjectFailure, 'project'>;
  /** The projects and the files outside of the SDK that they import. */
  readonly files: readonly string[];
}

/**
 * Evaluates all projects of a solution together. A broken project is one of the failures and does not
 * affect the others.
 * @throws EvaluationError if the folder has no SDK, or the time of the call is over
 * @throws FileError if a file is refused (docs/spec/dotnet-evaluation.md#reading-projects)
 */
export function evaluateSolution(
  host: EvaluationHost,
  solution: string,
  projects: readonly string[],
  query: EvaluationQuery,
): Promise<SolutionEvaluation> {
  return evaluateTogether(host, { folder: dirname(solution), solution, projects }, query);
}

/**
 * Evaluates projects together, as {@link evaluateSolution} does.
 * @param folder the folder whose global.json selects the SDK
 * @param solution the path of a solution to load as well; undefined for none
 */
export async function evaluateTogether(
  host: EvaluationHost,
  { folder, solution, projects }: { folder: string; solution?: string | undefined; projects: readonly string[] },
  query: EvaluationQuery,
): Promise<SolutionEvaluation> {
  const present = projects.filter((project) => existsSync(project));
  const deleted = projects
    .filter((project) => !present.includes(project))
    .map((project) => ({ project, message: 'The project file does not exist.' }));
  const requested = present.map((path) => ({ path, globalProperties: responseProperties(path) }));
  const request = { projects: requested, query, omitsUnusedVersions: true, ...(solution && { solution }) };
  const { projects: readings, solutionError } = await readProjects(host, request, folder);
  return {
    evaluations: readings.filter(({ error }) => !error).map(evaluationOf),
    failures: [...deleted, ...readings.flatMap(failureOf)],
    ...(solutionError && { loadError: loadErrorOf(solutionError) }),
    files: readings.flatMap(({ path, files = [path] }) => files),
  };
}

/**
 * Returns the reason why MSBuild cannot load a solution; undefined if it can.
 * @throws EvaluationError if the folder has no SDK, or the time of the call is over
 */
export async function findLoadError(
  host: EvaluationHost,
  solution: string,
): Promise<SolutionEvaluation['loadError'] | undefined> {
  const { loadError } = await evaluateSolution(host, solution, [], { properties: [], itemTypes: [] });
  return loadError;
}

/** Removes the name of the exception from MSBuild's message `The … loaded. Some.Exception: Project name …`. */
function loadErrorOf({ code, message, line }: LoadError): Omit<ProjectFailure, 'project'> {
  const [sentence = ''] = message.trim().split(/\r?\n/);
  const cause = sentence.replace(/[\w.]+Exception: /, '');
  return { ...(code && { code }), message: line > 0 ? `line ${line}: ${cause}` : cause };
}

function failureOf({ path, error }: ReadProject): ProjectFailure[] {
  if (!error) return [];
  return [{ project: path, ...(error.code && { code: error.code }), message: error.message.trim() }];
}
