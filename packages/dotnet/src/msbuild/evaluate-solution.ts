import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type DotnetCall,
  EvaluationError,
  type EvaluationQuery,
  evaluationOf,
  type ProjectEvaluation,
} from './evaluate.js';
import { type ReadProject, readProjects } from './project-reader.js';
import { responseProperties } from './response-files.js';

/** Why a project of a solution could not be evaluated. */
export interface ProjectFailure {
  readonly project: string;
  /** MSBuild's code, if any. */
  readonly code?: string;
  readonly message: string;
}

export interface SolutionEvaluation {
  readonly evaluations: readonly ProjectEvaluation[];
  readonly failures: readonly ProjectFailure[];
}

/**
 * Evaluates all projects of a solution in one MSBuild process. A broken project is one of the failures and spoils nothing.
 * @throws EvaluationError where MSBuild itself could not run
 * @throws FileError where a file is refused (docs/spec/dotnet-runtime.md#reading-projects)
 */
export async function evaluateSolution(
  dotnet: DotnetCall,
  solution: string,
  projects: readonly string[],
  query: EvaluationQuery,
): Promise<SolutionEvaluation> {
  const present = projects.filter((project) => existsSync(project));
  const deleted = projects
    .filter((project) => !present.includes(project))
    .map((project) => ({ project, message: 'The project file does not exist.' }));
  const requested = present.map((path) => ({ path, globalProperties: responseProperties(path) }));
  const request = { projects: requested, query, omitsUnusedVersions: true };
  const { run, projects: read } = await readProjects(dotnet, request, dirname(solution));
  if (!read) throw new EvaluationError(solution, run);
  return {
    evaluations: read.filter(({ error }) => !error).map(evaluationOf),
    failures: [...deleted, ...read.flatMap(failureOf)],
  };
}

function failureOf({ path, error }: ReadProject): ProjectFailure[] {
  if (!error) return [];
  return [{ project: path, ...(error.code && { code: error.code }), message: error.message.trim() }];
}
