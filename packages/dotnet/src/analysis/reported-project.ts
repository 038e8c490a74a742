import { type EvaluationQuery, type ProjectEvaluation, propertyOf } from '../msbuild/evaluate.js';
import type { ReadAssets } from '../nuget/assets.js';
import type { PackageReference } from '../nuget/package-references.js';
import { isForTests } from '../nuget/test-libraries.js';
import { projectName } from '../project-files/find-project.js';
import { isSameName } from '../project-files/msbuild-syntax.js';
import { parseProject } from '../project-files/project-xml.js';
import { readTextFile } from '../project-files/text-file.js';
import { ANALYSIS_QUERY, analyzeProject, targetFrameworksOf } from './analyze.js';
import { LOAD_QUERY, type LoadedProject, readRestored } from './load-project.js';
import { VALIDATION_QUERY } from './validate.js';

/** Properties that the packages of test frameworks set. They are known only after a restore. */
const TEST_PROPERTIES = ['IsTestProject', 'IsTestingPlatformApplication'];

/** A project in the answers about a solution (docs/spec/dotnet-results.md#solution-reports). */
export interface ReportedProject {
  readonly name: string;
  readonly path: string;
  readonly sdk?: string;
  /** `Exe`, `WinExe` or `Library`. */
  readonly outputType?: string;
  /** Absent if it cannot be known before a restore. */
  readonly isTestProject?: boolean;
  readonly targetFrameworks: readonly string[];
  readonly packageCount: number;
  /** The packages that the project itself references. */
  readonly packages?: readonly { readonly name: string; readonly version?: string }[];
  readonly projectReferenceCount: number;
  readonly restored: boolean;
}

/** The properties and items that {@link loadReported} and {@link reportedProject} need. */
export const REPORT_QUERY: EvaluationQuery = {
  properties: [
    ...LOAD_QUERY.properties,
    ...ANALYSIS_QUERY.properties,
    ...VALIDATION_QUERY.properties,
    ...TEST_PROPERTIES,
  ],
  itemTypes: LOAD_QUERY.itemTypes,
};

/** Reads what an evaluation does not say: the project file, and whether it is restored. */
export async function loadReported(evaluation: ProjectEvaluation, readAssets: ReadAssets): Promise<LoadedProject> {
  const { text } = await readTextFile(evaluation.project);
  return { evaluation, xml: parseProject(text), restored: await readRestored(evaluation, readAssets) };
}

/** Describes a project that was loaded with {@link REPORT_QUERY}. */
export function reportedProject(project: LoadedProject): ReportedProject {
  const { projectPath, sdk, outputType, packageReferences, projectReferences } = analyzeProject(project);
  const packages = packageReferences
    .filter(({ isImplicit }) => !isImplicit)
    .map(({ name, version }) => ({ name, ...(version && { version }) }));
  return {
    name: projectName(projectPath),
    path: projectPath,
    ...(sdk && { sdk }),
    ...(outputType && { outputType }),
    ...isTestProject(project, packageReferences),
    targetFrameworks: targetFrameworksOf(project.evaluation),
    packageCount: new Set(packageReferences.map(({ name }) => name.toLowerCase())).size,
    ...(packages.length > 0 && { packages }),
    projectReferenceCount: new Set(projectReferences.map(({ path }) => path)).size,
    restored: project.restored,
  };
}

/**
 * Before a restore, the direct references can show that a project is a test project, but not that it is none, because a
 * package can bring a test framework with it.
 */
export function isTestProject(
  { evaluation, restored }: LoadedProject,
  references: readonly PackageReference[],
): Pick<ReportedProject, 'isTestProject'> {
  const isSet = evaluation.inner.some((innerEvaluation) =>
    TEST_PROPERTIES.some((name) => isSameName(propertyOf(innerEvaluation, name), 'true')),
  );
  if (isSet || isForTests(references.map(({ name }) => name))) return { isTestProject: true };
  return restored || references.length === 0 ? { isTestProject: false } : {};
}
