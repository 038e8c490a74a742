import { dirname } from 'node:path';
import type { CommandRun } from '../process/command-run.js';
import { escapeMSBuild, isSameName, uniqueNames } from '../project-files/msbuild-syntax.js';
import type { DotnetCall, Evaluation, EvaluationQuery, GlobalProperties, Item } from './evaluation.js';
import { type ReadProject, readProjects } from './project-reader.js';
import { responseProperties } from './response-files.js';

export type { DotnetCall, Evaluation, EvaluationQuery, GlobalProperties, Item };

/** All that the queries ask, each name once. */
export function unionOf(queries: readonly EvaluationQuery[]): EvaluationQuery {
  return {
    properties: uniqueNames(queries.flatMap(({ properties }) => properties)),
    itemTypes: uniqueNames(queries.flatMap(({ itemTypes }) => itemTypes)),
  };
}

/** A project as MSBuild evaluates it. */
export interface ProjectEvaluation {
  /** Absolute. */
  readonly project: string;
  /** The evaluation without a framework; for a multi-targeted project it has properties and no items. */
  readonly outer: Evaluation;
  /** One for each target framework; the outer one alone where the project is not multi-targeted. */
  readonly inner: readonly Evaluation[];
  /** The project and all files that its evaluations import, if it was read alone. */
  readonly files?: readonly string[];
}

/** MSBuild could not evaluate the project: its SDK, an import or the file itself is broken, or the run was ended. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
  constructor(
    readonly project: string,
    /** Its diagnostics are on stderr. */
    readonly run: CommandRun,
  ) {
    super(`The project ${project} cannot be evaluated`);
  }
}

/**
 * Evaluates a project: no target, logger or task runs. A multi-targeted project is evaluated without a framework and then
 * for each of its frameworks.
 * @throws EvaluationError
 * @throws FileError where a file is refused (docs/spec/dotnet-evaluation.md#reading-projects)
 */
export async function evaluateProject(
  dotnet: DotnetCall,
  project: string,
  query: EvaluationQuery,
  globals: GlobalProperties = {},
): Promise<ProjectEvaluation> {
  const requested = { path: project, globalProperties: globalsOf(project, globals) };
  const request = { projects: [requested], query, returnsFiles: true };
  const { run, projects } = await readProjects(dotnet, request, dirname(project));
  const [read] = projects ?? [];
  if (!read) throw new EvaluationError(project, run);
  if (read.error) throw new EvaluationError(project, failedRun(run, read.error));
  return evaluationOf(read);
}

/** Those of the call override those of response files. */
function globalsOf(project: string, globals: GlobalProperties): GlobalProperties {
  const isOverridden = (name: string) => Object.keys(globals).some((own) => isSameName(own, name));
  const fromFiles = Object.entries(responseProperties(project)).filter(([name]) => !isOverridden(name));
  const own = Object.entries(globals).map(([name, value]) => [name, escapeMSBuild(value)] as const);
  return Object.fromEntries([...fromFiles, ...own]);
}

export function evaluationOf({ path, evaluations, files }: ReadProject): ProjectEvaluation {
  const [outer, ...inner] = evaluations;
  return { project: path, outer: outer!, inner: inner.length === 0 ? [outer!] : inner, ...(files && { files }) };
}

/** The run as if MSBuild had been asked for this project alone, and had printed its error. */
function failedRun(run: CommandRun, error: NonNullable<ReadProject['error']>): CommandRun {
  const { code, message, file, line, column } = error;
  const place = [line, column].filter((number) => number > 0).join(',');
  const where = file ? `${file}${place && `(${place})`}` : 'MSBUILD';
  const stderr = `${where} : error ${code ?? ''}: ${message.trim()}\n`.replace('error :', 'error:');
  return { ...run, output: `${run.output}${stderr}`, stderr: `${run.stderr}${stderr}` };
}

/** The value of a requested property; empty if it is not set. */
export function propertyOf({ properties }: Evaluation, name: string): string {
  return Object.entries(properties).find(([one]) => isSameName(one, name))?.[1] ?? '';
}

/** The items of a type that was asked for. */
export function itemsOf({ items }: Evaluation, type: string): readonly Item[] {
  return Object.entries(items).find(([one]) => isSameName(one, type))?.[1] ?? [];
}

/** The metadata with that name; empty if it is not set. */
export function metadataOf({ metadata }: Item, name: string): string {
  return Object.entries(metadata).find(([one]) => isSameName(one, name))?.[1] ?? '';
}
