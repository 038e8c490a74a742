import { join } from 'node:path';
import type { ActionContext } from '../../actions/action.js';
import { FileError } from '../../project-files/file-error.js';
import { findProject, isProjectPath } from '../../project-files/find-project.js';
import { namesIn } from '../../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../../project-files/solution-file.js';

/** Returns the solution that a path names, or that {@link findSolution} finds in a folder. */
export const solutionAt = (path: string): string | undefined => (isSolutionPath(path) ? path : findSolution(path));

/** Returns the absolute paths of the call's project, or of the projects of its solution. @throws FileError */
export function projectsOf(call: Pick<ActionContext, 'args' | 'resolve'>): string[] {
  const path = call.resolve(call.args.project ?? '.');
  const solution = solutionAt(path);
  if (solution !== undefined) return readSolution(solution).map(({ absolutePath }) => absolutePath);
  const file = findProject(path);
  return file === undefined ? [] : [file];
}

/**
 * Returns the files that a command of the call may edit: its projects or its C# file. Empty if its solution cannot be
 * read.
 */
export function editedProjects(call: Pick<ActionContext, 'args' | 'resolve'>): string[] {
  const { project } = call.args;
  if (project !== undefined && /\.cs$/i.test(project)) return [call.resolve(project)];
  try {
    return projectsOf(call);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

/** Finds the only solution in a folder without projects. Solution filters (.slnf) do not count. */
export function findSolution(folder: string): string | undefined {
  const names = namesIn(folder);
  const solutions = names.filter((name) => isSolutionPath(name) && !/\.slnf$/i.test(name));
  return solutions.length === 1 && !names.some(isProjectPath) ? join(folder, solutions[0]!) : undefined;
}
