import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandRun } from '../process/command-run.js';
import { escapeMSBuild, isMSBuildName, uniqueNames } from '../project-files/msbuild-syntax.js';
import {
  type DotnetCall,
  type Evaluation,
  EvaluationError,
  type EvaluationQuery,
  evaluateProject,
  type ProjectEvaluation,
} from './evaluate.js';
import { findProjectReader } from './find-project-reader.js';
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
  /** Why the projects were read one by one, where they were. */
  readonly note?: string;
}

/** A project as the reader answers it (dotnet/Mortise.ProjectReader/ReadRequest.cs). */
interface ReadProject {
  readonly path: string;
  /** The outer one first. */
  readonly evaluations: readonly Evaluation[];
  readonly error: { readonly code: string | null; readonly message: string } | null;
}

/**
 * Evaluates all projects of a solution in one MSBuild process, by a task of ours: no target, logger or task of the
 * projects runs. Where the task is not built or the SDK is too old for it, they are read one by one, which takes longer
 * and runs nothing either. A broken project is one of the failures and spoils nothing.
 * @throws EvaluationError where MSBuild itself could not run
 */
export async function evaluateSolution(
  dotnet: DotnetCall,
  solution: string,
  projects: readonly string[],
  query: EvaluationQuery,
  reader: string | undefined = findProjectReader(),
): Promise<SolutionEvaluation> {
  const missing = projects.filter((project) => !existsSync(project));
  const present = projects.filter((project) => !missing.includes(project));
  const deleted = missing.map((project) => ({ project, message: 'The project file does not exist.' }));
  if (reader === undefined) return readOneByOne(dotnet, present, query, deleted, 'the project reader is not built');
  const read = await readTogether(dotnet, { reader, solution, projects: present, query });
  if ('tooOld' in read)
    return readOneByOne(dotnet, present, query, deleted, 'this .NET SDK cannot load the project reader');
  return {
    evaluations: read.projects.filter(({ error }) => !error).map(evaluationOf),
    failures: [...deleted, ...read.projects.flatMap(failureOf)],
  };
}

interface EvaluationTask {
  readonly reader: string;
  readonly solution: string;
  readonly projects: readonly string[];
  readonly query: EvaluationQuery;
}

async function readTogether(
  dotnet: DotnetCall,
  { reader, solution, projects, query }: EvaluationTask,
): Promise<{ projects: ReadProject[] } | { tooOld: true }> {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-solution-'));
  try {
    const [request, result] = ['request.json', 'result.json'].map((name) => join(folder, name));
    await writeFile(request!, JSON.stringify(requestOf(projects, query)));
    const files = [`-p:Request=${escapeMSBuild(request!)}`, `-p:Result=${escapeMSBuild(result!)}`];
    const args = ['msbuild', reader, '-nologo', '-noAutoResponse', '-m:1', '-t:Read', ...files];
    const run = await dotnet(args, { cwd: dirname(solution) });
    if (isNotLoaded(run)) return { tooOld: true };
    const text =
      run.terminatedBy === 'exited' && run.exitCode === 0 ? await readFile(result!, 'utf8').catch(() => '') : '';
    if (text === '') throw new EvaluationError(solution, run);
    return { projects: JSON.parse(text) as ReadProject[] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function requestOf(projects: readonly string[], { properties, itemTypes }: EvaluationQuery): object {
  return {
    projects: projects.map((path) => ({ path, globalProperties: responseProperties(path) })),
    properties: uniqueNames(['TargetFramework', 'TargetFrameworks', ...properties].filter(isMSBuildName)),
    itemTypes: uniqueNames(itemTypes.filter(isMSBuildName)),
  };
}

/** The runtime of the SDK is older than the task's, or its MSBuild lacks what the task uses. */
function isNotLoaded({ output }: CommandRun): boolean {
  return /\berror MSB40(?:18|62)\b/.test(output);
}

function evaluationOf({ path, evaluations }: ReadProject): ProjectEvaluation {
  const [outer, ...inner] = evaluations;
  return { project: path, outer: outer!, inner: inner.length === 0 ? [outer!] : inner };
}

function failureOf({ path, error }: ReadProject): ProjectFailure[] {
  if (!error) return [];
  return [{ project: path, ...(error.code && { code: error.code }), message: error.message.trim() }];
}

const MAX_PARALLEL = 4;

async function readOneByOne(
  dotnet: DotnetCall,
  projects: readonly string[],
  query: EvaluationQuery,
  deleted: readonly ProjectFailure[],
  reason: string,
): Promise<SolutionEvaluation> {
  const evaluations: ProjectEvaluation[] = [];
  const failures = [...deleted];
  for (let next = 0; next < projects.length; next += MAX_PARALLEL) {
    const group = projects.slice(next, next + MAX_PARALLEL);
    for (const read of await Promise.all(group.map((project) => readAlone(dotnet, project, query)))) {
      if ('outer' in read) evaluations.push(read);
      else failures.push(...read);
    }
  }
  return { evaluations, failures, note: `The projects were read one by one, which takes longer: ${reason}.` };
}

async function readAlone(
  dotnet: DotnetCall,
  project: string,
  query: EvaluationQuery,
): Promise<ProjectEvaluation | ProjectFailure[]> {
  try {
    return await evaluateProject(dotnet, project, query);
  } catch (error) {
    if (!(error instanceof EvaluationError) || error.run.terminatedBy !== 'exited') throw error;
    const failures = failuresIn(project, error.run.output);
    return failures.length > 0 ? failures : [{ project, message: 'MSBuild cannot evaluate the project.' }];
  }
}

const DIAGNOSTIC = /^(?:.*?)(?:\([\d,]+\))?\s*: error(?: ([A-Z]+\d+))?\s*: (.*?)(?: \[[^\]]+\])?$/gm;

/** The errors that the output has; those without a code only where there are no others. */
function failuresIn(project: string, output: string): ProjectFailure[] {
  const found = [...output.matchAll(DIAGNOSTIC)].map(([, code, message]) => ({
    project,
    ...(code && { code }),
    message: message!.trim(),
  }));
  const coded = found.filter(({ code }) => code !== undefined);
  return coded.length > 0 ? coded : found;
}
