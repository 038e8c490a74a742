import {
  type EvaluationQuery,
  type GlobalProperties,
  type ProjectEvaluation,
  propertyOf,
  unionOf,
} from '../msbuild/evaluate.js';
import { assetsPath, isRestored, type ReadAssets } from '../nuget/assets.js';
import { REFERENCE_QUERY } from '../nuget/package-references.js';
import { FileError } from '../project-files/file-error.js';
import { isSameName, splitList } from '../project-files/msbuild-syntax.js';
import { parseProject } from '../project-files/project-xml.js';
import { readTextFile } from '../project-files/text-file.js';
import type { XmlElement } from '../xml/xml.js';

/** Evaluates a project, freshly or from memory: the same answer in either way. */
export type Evaluate = (
  project: string,
  query: EvaluationQuery,
  globals?: GlobalProperties,
) => Promise<ProjectEvaluation>;

/** The source from which projects are read. */
export interface ProjectSource {
  readonly evaluate: Evaluate;
  readonly readAssets: ReadAssets;
}

/** A project as it is written and as it is evaluated. */
export interface LoadedProject {
  readonly evaluation: ProjectEvaluation;
  readonly xml: XmlElement;
  /** Whether what NuGet restored last is what the project asks for. */
  readonly restored: boolean;
}

/** What {@link loadProject} itself asks for. */
export const LOAD_QUERY: EvaluationQuery = {
  properties: ['ProjectAssetsFile', ...REFERENCE_QUERY.properties],
  itemTypes: REFERENCE_QUERY.itemTypes,
};

/**
 * Evaluates a project and determines whether it is restored.
 * @throws EvaluationError
 * @throws FileError `not found`
 */
export async function loadProject(
  { evaluate, readAssets }: ProjectSource,
  project: string,
  query: EvaluationQuery,
  globals?: GlobalProperties,
): Promise<LoadedProject> {
  const { text } = await readTextFile(project);
  const evaluation = await evaluate(project, unionOf([LOAD_QUERY, query]), globals);
  assertTargeted(evaluation, globals?.TargetFramework);
  return { evaluation, xml: parseProject(text), restored: await readRestored(evaluation, readAssets) };
}

/** MSBuild evaluates a project for any framework; for a framework that the project does not target, the result is meaningless. */
function assertTargeted({ outer }: ProjectEvaluation, framework: string | undefined): void {
  const frameworks = splitList(propertyOf(outer, 'TargetFrameworks'));
  const isNamed = frameworks.some((one) => isSameName(one, framework ?? one));
  if (framework === undefined || frameworks.length === 0 || isNamed) return;
  throw new FileError(
    'invalid value',
    `The project does not target ${framework}`,
    `Give one of its frameworks: ${frameworks.join(', ')}.`,
    { parameter: 'framework' },
  );
}

/** Whether a project is restored; one that NuGet does not restore is. */
export async function readRestored(evaluation: ProjectEvaluation, readAssets: ReadAssets): Promise<boolean> {
  const path = assetsPath(evaluation);
  return path === '' || isRestored(evaluation, await readAssets(path));
}
