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

/** Evaluates a project as it is now. */
export type Evaluate = (
  project: string,
  query: EvaluationQuery,
  globals?: GlobalProperties,
) => Promise<ProjectEvaluation>;

export interface ProjectSource {
  readonly evaluate: Evaluate;
  readonly readAssets: ReadAssets;
}

/** A project file and its evaluation. */
export interface LoadedProject {
  readonly evaluation: ProjectEvaluation;
  readonly xml: XmlElement;
  /** True if the last restore of NuGet still matches the project. */
  readonly restored: boolean;
}

/** The part of an evaluation that {@link loadProject} itself needs. */
export const LOAD_QUERY: EvaluationQuery = {
  properties: ['ProjectAssetsFile', ...REFERENCE_QUERY.properties],
  itemTypes: REFERENCE_QUERY.itemTypes,
};

/**
 * Evaluates a project and determines whether it is restored.
 * @param query the properties and items that the caller needs
 * @throws EvaluationError if MSBuild cannot evaluate the project
 * @throws FileError `not found`; `invalid value` if the project does not target the framework in `globals`
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

/** MSBuild evaluates a project for any framework, but the result means nothing if the project does not target it. */
function assertTargeted({ outer }: ProjectEvaluation, framework: string | undefined): void {
  const frameworks = splitList(propertyOf(outer, 'TargetFrameworks'));
  const isTargeted = frameworks.some((name) => isSameName(name, framework ?? name));
  if (framework === undefined || frameworks.length === 0 || isTargeted) return;
  throw new FileError(
    'invalid value',
    `The project does not target ${framework}`,
    `Give one of its frameworks: ${frameworks.join(', ')}.`,
    { parameter: 'framework' },
  );
}

/** True if a project is restored. Projects that NuGet does not restore count as restored. */
export async function readRestored(evaluation: ProjectEvaluation, readAssets: ReadAssets): Promise<boolean> {
  const path = assetsPath(evaluation);
  return path === '' || isRestored(evaluation, await readAssets(path));
}
