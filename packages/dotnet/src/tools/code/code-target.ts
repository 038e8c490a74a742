import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ActionContext } from '../../actions/action.js';
import { isWithinRoots } from '../../actions/call-paths.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import { foldersUpward, isProjectPath } from '../../project-files/find-project.js';
import { namesIn, readableText } from '../../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../../project-files/solution-file.js';

/** The projects that a query looks at. */
export interface CodeTarget {
  /** The absolute path of the solution, or of the only project. */
  readonly path: string;
  readonly projects: readonly string[];
  /** The absolute path of the project that the call names, if the target is its solution. */
  readonly project?: string;
}

/**
 * Returns the solution or project of a query: the one that the call names, or the nearest above the named file or the
 * call's folder. A project is read with the solution that has it, because references can be in other projects.
 * @throws InvalidParameterError if there is none, or if several solutions are equally near
 */
export function codeTarget(call: Pick<ActionContext, 'args' | 'cwd' | 'resolve' | 'services'>): CodeTarget {
  const { file, project } = call.args;
  if (file !== undefined) assertFile(call.resolve(file), file);
  const path = call.resolve(project ?? file ?? '.');
  if (!existsSync(path)) throw notFound(project ?? '.');
  if (isSolutionPath(path)) return targetOf(path);
  if (isFileBasedApp(path, project !== undefined)) return { path, projects: [path] };
  const { roots } = call.services.settings;
  const start = statSync(path).isDirectory() ? path : dirname(path);
  const folders = foldersUpward(start).filter((folder) => isWithinRoots(roots, folder));
  const ownProject = isProjectPath(path) ? path : project === undefined ? undefined : projectIn(path);
  const found = nearestSolution(folders, ownProject) ?? ownProject ?? nearestProject(folders);
  if (found === undefined) throw noTarget(start);
  return { ...targetOf(found), ...(ownProject !== undefined && ownProject !== found && { project: ownProject }) };
}

/** True for a C# file that the call names as the project, and for one that begins as only a file-based app can. */
function isFileBasedApp(path: string, isProject: boolean): boolean {
  return /\.cs$/i.test(path) && (isProject || /^\uFEFF?#[!:]/.test(readableText(path)));
}

function targetOf(path: string): CodeTarget {
  if (!isSolutionPath(path)) return { path, projects: [path] };
  const projects = readSolution(path).map(({ absolutePath }) => absolutePath);
  return { path, projects: projects.filter((one) => /\.(?:cs|fs|vb)proj$/i.test(one)) };
}

/** @param project the project that the solution must have, if any */
function nearestSolution(folders: readonly string[], project: string | undefined): string | undefined {
  for (const folder of folders) {
    const solutions = solutionsIn(folder).filter((path) => project === undefined || hasProject(path, project));
    if (solutions.length > 1 && project === undefined) throw severalSolutions(folder, solutions);
    if (solutions.length > 0) return solutions[0];
  }
  return undefined;
}

function hasProject(solution: string, project: string): boolean {
  try {
    return readSolution(solution).some(({ absolutePath }) => absolutePath === project);
  } catch {
    return false;
  }
}

const solutionsIn = (folder: string): string[] =>
  namesIn(folder)
    .filter((name) => isSolutionPath(name) && !/\.slnf$/i.test(name))
    .map((name) => join(folder, name));

function nearestProject(folders: readonly string[]): string | undefined {
  return folders.map(projectIn).find((path) => path !== undefined);
}

function projectIn(folder: string): string | undefined {
  const projects = namesIn(folder).filter((name) => /\.csproj$/i.test(name));
  return projects.length === 1 ? join(folder, projects[0]!) : undefined;
}

function assertFile(path: string, file: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return;
  throw new InvalidParameterError('file', 'not found', `Parameter 'file' names no file: ${file}`, {
    providedValue: file,
    hint: `Resolved path: ${path}.`,
  });
}

function notFound(value: string): InvalidParameterError {
  return new InvalidParameterError('project', 'not found', `Parameter 'project' not found: ${value}`, {
    providedValue: value,
  });
}

function severalSolutions(folder: string, solutions: readonly string[]): InvalidParameterError {
  const message = `Parameter 'project' is required: the folder ${folder} contains ${solutions.length} solutions`;
  return new InvalidParameterError('project', 'required', message, {
    hint: 'Give project: a solution, or a C# project.',
    alternatives: [...solutions],
  });
}

function noTarget(folder: string): InvalidParameterError {
  const message = `Parameter 'project' is required: neither ${folder} nor a folder above it contains a solution or one C# project`;
  return new InvalidParameterError('project', 'required', message, {
    hint: 'Give project (a solution or C# project), file, or a workingDirectory with one.',
  });
}
