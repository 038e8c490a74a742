import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Root } from '@mortise/plugin';
import { again } from '../advice/next-call.js';
import type { WorkspaceReader } from '../analysis/workspace.js';
import { isProjectPath } from '../project-files/find-project.js';
import { namesIn } from '../project-files/readable-files.js';
import { isSolutionPath, readSolution } from '../project-files/solution-file.js';
import { type Action, type ActionContext, parametersOf, type TargetParameter } from './action.js';
import { isWithinRoots } from './call-paths.js';
import { InvalidParameterError } from './invalid-parameter.js';
import type { Arguments } from './parameters.js';
import { safePath } from './value-kind.js';

const IS_TARGET: Readonly<Record<TargetParameter, (name: string) => boolean>> = {
  project: isProjectPath,
  solution: (name) => isSolutionPath(name) && !/\.slnf$/i.test(name),
};

/** The maximum number of projects or solutions that an error lists. */
const MAX_CANDIDATES = 10;

/**
 * Adds the target to the arguments of a call that names none: the only one in the client's roots or else in the call's
 * folder.
 * @throws InvalidParameterError if the action needs a target, and none or several are found
 */
export async function withTarget(action: Action, call: ActionContext): Promise<Arguments> {
  const project = await projectInRoots(action, call);
  const args = project === undefined ? call.args : { ...call.args, project };
  return action.finds ? withTargetInFolder(action.finds, args, call.cwd) : args;
}

/**
 * Sets `parameter` to the only project or solution of the folder if the call names none. `projectPath` is the former
 * name of `project`.
 * @throws InvalidParameterError if the folder has none or several, or if `project` and `projectPath` differ
 */
function withTargetInFolder(parameter: TargetParameter, args: Arguments, cwd: string): Arguments {
  const { project, projectPath } = args;
  if (parameter === 'project' && projectPath !== undefined) return withProjectPath(args, project, projectPath);
  if (args[parameter] !== undefined) return args;
  const here = namesIn(cwd).filter(IS_TARGET[parameter]);
  if (here.length !== 1) throw notFound(parameter, cwd, here);
  return { ...args, [parameter]: safePath(here[0]!) };
}

function withProjectPath(args: Arguments, project: string | undefined, projectPath: string): Arguments {
  if (project === undefined || project === projectPath) return { ...args, project: projectPath };
  throw new InvalidParameterError(
    'projectPath',
    'conflict',
    "Parameters 'project' and 'projectPath' name different projects",
    {
      hint: 'Give project alone.',
      providedValue: projectPath,
    },
  );
}

function notFound(parameter: TargetParameter, cwd: string, here: readonly string[]): InvalidParameterError {
  const also = parameter === 'project' ? ' (or projectPath)' : '';
  const found = here.length > 0 ? here : namesBelow(cwd, IS_TARGET[parameter]);
  const count = here.length === 0 ? `no ${parameter}` : `${here.length} ${parameter}s`;
  const message = `Parameter '${parameter}' is required and cannot be empty: the folder ${cwd} contains ${count}`;
  return new InvalidParameterError(parameter, 'required', message, {
    hint: `Give ${parameter}${also}, or a workingDirectory that contains exactly one.`,
    ...(found.length > 0 && { alternatives: found.slice(0, MAX_CANDIDATES) }),
  });
}

/** The part of a call that is needed to resolve its paths. */
interface CallInFolder {
  readonly args: Arguments;
  readonly cwd: string;
  resolve(path: string): string;
}

/**
 * Refuses a solution for a command that takes a project, because the CLI answers only "invalid project file".
 * @throws InvalidParameterError that lists the projects of the solution
 */
export function assertNotSolution({ args: { project }, resolve, cwd }: CallInFolder): void {
  if (project === undefined || !isSolutionPath(project) || !existsSync(resolve(project))) return;
  const projects = readSolution(resolve(project)).map(
    ({ absolutePath }) => relative(cwd, absolutePath).replaceAll('\\', '/') || absolutePath,
  );
  const [first, ...others] = projects.slice(0, MAX_CANDIDATES);
  const message = `Parameter 'project' names a solution, ${project}; this action takes one of its projects`;
  throw new InvalidParameterError('project', 'invalid value', message, {
    providedValue: project,
    hint: 'Give the project that is to be changed.',
    ...(first !== undefined && {
      alternatives: [first, ...others],
      recommendedAction: again(`Name a project: ${[first, ...others].join(', ')}.`, { project: first }),
    }),
  });
}

/** Returns the targets in the direct subfolders of a folder. */
function namesBelow(folder: string, isTarget: (name: string) => boolean): string[] {
  const folders = namesIn(folder).filter((name) => !/^(?:\.|bin$|obj$|node_modules$)/.test(name));
  return folders.flatMap((name) =>
    namesIn(join(folder, name))
      .filter(isTarget)
      .map((target) => `${name}/${target}`),
  );
}

/** The first protocol version in which roots are deprecated. Only clients of older versions are asked for them. */
const WITHOUT_ROOTS = '2026-07-28';

/**
 * Finds the project or solution for a call that names no project and no folder (docs/spec/dotnet-runtime.md#roots).
 * Returns undefined unless the client's roots contain exactly one.
 */
async function projectInRoots(action: Action, call: ActionContext): Promise<string | undefined> {
  const { args, context, services, cwd } = call;
  const { workspaces } = services;
  const isNamed = [args.project, args.projectPath, args.workingDirectory].some((path) => path !== undefined);
  if (isNamed || !parametersOf({}, action).includes('project') || context.protocolVersion >= WITHOUT_ROOTS)
    return undefined;
  if (context.clientCapabilities.roots === undefined || workspaces.isCached(cwd)) return undefined;
  const folders = (await rootsOf(call)).filter((root) => isWithinRoots(services.settings.roots, root));
  const candidates = folders.flatMap((root) => candidatesIn(workspaces, root));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Returns the folders of the client's roots; empty if the client does not answer. */
async function rootsOf({ context }: ActionContext): Promise<string[]> {
  const roots = await context.input.roots('roots').catch((): Root[] => []);
  return roots.flatMap(({ uri }) => folderOf(uri) ?? []);
}

function folderOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Returns the solution of a folder or, if it has none, all projects in it. */
function candidatesIn(workspaces: WorkspaceReader, root: string): string[] {
  const { solution, projects } = workspaces.read(root);
  return solution === undefined ? [...projects] : [solution];
}
