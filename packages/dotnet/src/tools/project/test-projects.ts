import { dirname, join } from 'node:path';
import type { ActionContext } from '../../actions/action.js';
import { HostError } from '../../host/dotnet-host.js';
import { EvaluationError, itemsOf } from '../../msbuild/evaluate.js';
import { evaluateSolution } from '../../msbuild/evaluate-solution.js';
import { isForTests, type TestLibrary, testLibraryOf } from '../../nuget/test-libraries.js';
import { FileError } from '../../project-files/file-error.js';
import { findProject } from '../../project-files/find-project.js';
import { namesIn } from '../../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../../project-files/solution-file.js';

export interface TestProject {
  /** The absolute path of the project. */
  readonly project: string;
  /** The test framework; undefined for a project that references only the test SDK. */
  readonly library: TestLibrary | undefined;
}

/** Returns the absolute paths of the projects of a Test call: its project, or all projects of its solution. */
export function projectsOfCall({ args, cwd, resolve }: ActionContext): string[] {
  const target = args.project === undefined ? cwd : resolve(args.project);
  const project = findProject(target);
  if (project !== undefined) return [project];
  const solution = isSolutionPath(target) ? target : onlySolutionIn(target);
  if (solution === undefined) return [];
  try {
    return readSolution(solution).map(({ absolutePath }) => absolutePath);
  } catch (error) {
    // The command itself reports the problem of the solution.
    if (error instanceof FileError) return [];
    throw error;
  }
}

function onlySolutionIn(folder: string): string | undefined {
  const names = namesIn(folder).filter((name) => isSolutionPath(name) && !/\.slnf$/i.test(name));
  return names.length === 1 ? join(folder, names[0]!) : undefined;
}

/**
 * Returns the test projects among the given projects; by default among those of the call. They are recognised by the
 * packages of their last restore or, before the first restore, by the packages that an evaluation shows. Projects that
 * cannot be evaluated are left out.
 */
export async function testProjectsOf(
  call: ActionContext,
  projects: readonly string[] = projectsOfCall(call),
): Promise<TestProject[]> {
  const packagesOf = await resolvedPackagesOf(call, projects);
  const unrestored = projects.filter((project) => !packagesOf.has(project));
  for (const [project, packages] of await referencedPackagesOf(call, unrestored)) packagesOf.set(project, packages);
  return projects.flatMap((project) => {
    const packages = packagesOf.get(project) ?? [];
    return isForTests(packages) ? [{ project, library: testLibraryOf(packages) }] : [];
  });
}

/** Reads the packages of the projects whose assets file is at its default path. The other projects are evaluated. */
async function resolvedPackagesOf(call: ActionContext, projects: readonly string[]): Promise<Map<string, string[]>> {
  const { readAssets } = call.services.projects(call);
  const read = projects.map(async (project) => {
    const assets = await readAssets(join(dirname(project), 'obj', 'project.assets.json'));
    if (assets?.project.restore?.projectPath !== project) return [];
    const libraries = Object.values(assets.targets).flatMap((target) => Object.keys(target));
    return [[project, libraries.map((library) => library.split('/')[0]!)] as const];
  });
  return new Map((await Promise.all(read)).flat());
}

/** Evaluates all projects together, because what they import in common is then parsed once. */
async function referencedPackagesOf(
  call: ActionContext,
  projects: readonly string[],
): Promise<(readonly [project: string, packages: string[]])[]> {
  if (projects.length === 0) return [];
  const { host } = call.services.solutions(call);
  try {
    const query = { properties: [], itemTypes: ['PackageReference'] };
    const { evaluations } = await evaluateSolution(host, projects[0]!, projects, query);
    return evaluations.map(({ project, inner }) => [
      project,
      inner.flatMap((evaluation) => itemsOf(evaluation, 'PackageReference').map(({ include }) => include)),
    ]);
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof FileError || error instanceof HostError) return [];
    throw error;
  }
}
