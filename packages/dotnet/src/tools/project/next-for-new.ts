import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import type { ActionContext } from '../../actions/action.js';
import { isWithinRoots } from '../../actions/allowed-roots.js';
import { safePath } from '../../actions/value-kind.js';
import { call as nextCall } from '../../advice/next-call.js';
import { FileError } from '../../project-files/file-error.js';
import { foldersUpward, isProjectPath } from '../../project-files/find-project.js';
import { relativePath } from '../../project-files/relative-path.js';
import { readSolution } from '../../project-files/solution-file.js';

/** After New, recommends to add the projects to their solution, or else to build the first. Undefined if New made no project. */
export function nextForNew(call: ActionContext, created: readonly string[]): RecommendedAction | undefined {
  const projects = created.filter(isProjectPath);
  const [first] = projects;
  if (first === undefined) return undefined;
  const path = (file: string) => safePath(relativePath(call.cwd, file));
  const { workingDirectory } = call.args;
  const same = workingDirectory === undefined ? {} : { workingDirectory };
  const solution = solutionAbove(first, call);
  const missing = solution === undefined ? [] : missingIn(solution, projects);
  if (solution === undefined || missing.length === 0)
    return nextCall('Build the project.', 'dotnet_project', { action: 'Build', project: path(first), ...same });
  const args = { action: 'Add', solution: path(solution), projects: missing.map(path), ...same };
  return nextCall(`Add the project to ${path(solution)}.`, 'dotnet_solution', args);
}

/**
 * Finds the solution in the nearest folder above the project that has one. The search ends at the folder of the repository, or of the
 * call. Undefined if that folder has several.
 */
function solutionAbove(project: string, { cwd, services: { settings } }: ActionContext): string | undefined {
  const folders = foldersUpward(dirname(project));
  const top = folders.findIndex((folder) => existsSync(join(folder, '.git')));
  const last = top === -1 ? folders.indexOf(cwd) : top;
  const found = folders
    .slice(0, last + 1)
    .filter((folder) => isWithinRoots(settings.roots, folder))
    .map(solutionsIn)
    .find((solutions) => solutions.length > 0);
  return found?.length === 1 ? found[0] : undefined;
}

function solutionsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.slnx?$/i.test(name));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function missingIn(solution: string, projects: readonly string[]): readonly string[] {
  try {
    const listed = new Set(readSolution(solution).map(({ absolutePath }) => absolutePath));
    return projects.filter((project) => !listed.has(project));
  } catch (error) {
    // The solution tool says what is wrong with it.
    if (error instanceof FileError) return projects;
    throw error;
  }
}
