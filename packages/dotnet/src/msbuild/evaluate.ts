import { dirname } from 'node:path';
import { escapeMSBuild, isSameName, uniqueNames } from '../project-files/msbuild-syntax.js';
import type { Evaluation, EvaluationQuery, GlobalProperties, Item } from './evaluation.js';
import {
  EvaluationError,
  type EvaluationHost,
  evaluationRun,
  type ReadProject,
  readProjects,
} from './read-projects.js';
import { responseProperties } from './response-files.js';

export type { Evaluation, EvaluationHost, EvaluationQuery, GlobalProperties, Item };
export { EvaluationError };

/** Combines queries. Names that differ only in case are one. */
export function unionOf(queries: readonly EvaluationQuery[]): EvaluationQuery {
  return {
    properties: uniqueNames(queries.flatMap(({ properties }) => properties)),
    itemTypes: uniqueNames(queries.flatMap(({ itemTypes }) => itemTypes)),
  };
}

export interface ProjectEvaluation {
  readonly project: string;
  /** The evaluation without a framework; for a multi-targeted project it has properties and no items. */
  readonly outer: Evaluation;
  /** One evaluation for each target framework; only the outer one if the project is not multi-targeted. */
  readonly inner: readonly Evaluation[];
}

/**
 * Evaluates a project without running targets, loggers or tasks. A multi-targeted project is evaluated without a
 * framework and then for each of its frameworks.
 * @param globals the global properties by name; values are not escaped
 * @throws EvaluationError if MSBuild cannot evaluate the project
 * @throws FileError if a file is refused (docs/spec/dotnet-evaluation.md#reading-projects)
 */
export async function evaluateProject(
  host: EvaluationHost,
  project: string,
  query: EvaluationQuery,
  globals: GlobalProperties = {},
): Promise<ProjectEvaluation> {
  const requested = { path: project, globalProperties: globalsOf(project, globals) };
  const folder = dirname(project);
  const { projects } = await readProjects(host, { projects: [requested], query }, folder);
  const { error } = projects[0]!;
  if (error) throw new EvaluationError(project, evaluationRun(project, folder, printed(error)));
  return evaluationOf(projects[0]!);
}

/** Returns the global properties of the call and of response files. Those of the call take precedence. */
function globalsOf(project: string, globals: GlobalProperties): GlobalProperties {
  const isOverridden = (name: string) => Object.keys(globals).some((globalName) => isSameName(globalName, name));
  const fromFiles = Object.entries(responseProperties(project)).filter(([name]) => !isOverridden(name));
  const fromCall = Object.entries(globals).map(([name, value]) => [name, escapeMSBuild(value)] as const);
  return Object.fromEntries([...fromFiles, ...fromCall]);
}

export function evaluationOf({ path, evaluations }: ReadProject): ProjectEvaluation {
  const [outer, ...inner] = evaluations;
  return { project: path, outer: outer!, inner: inner.length === 0 ? [outer!] : inner };
}

/** Returns an error in the form in which MSBuild prints it. */
function printed({ code, message, file, line, column }: NonNullable<ReadProject['error']>): string {
  const place = [line, column].filter((number) => number > 0).join(',');
  const where = file ? `${file}${place && `(${place})`}` : 'MSBUILD';
  return `${where} : error ${code ?? ''}: ${message.trim()}\n`.replace('error :', 'error:');
}

/** Returns the value of a requested property; empty if it is not set. */
export function propertyOf({ properties }: Evaluation, name: string): string {
  return Object.entries(properties).find(([key]) => isSameName(key, name))?.[1] ?? '';
}

export function itemsOf({ items }: Evaluation, type: string): readonly Item[] {
  return Object.entries(items).find(([key]) => isSameName(key, type))?.[1] ?? [];
}

/** Returns the value of an item's metadata; empty if it is not set. */
export function metadataOf({ metadata }: Item, name: string): string {
  return Object.entries(metadata).find(([key]) => isSameName(key, name))?.[1] ?? '';
}
