import { readFileSync, writeFileSync } from 'node:fs';
import { type ActionContext, ActionError, type ActionResult, changed } from '../actions/action.js';
import { changedLines } from '../actions/changed-lines.js';
import { runCli } from '../actions/cli-action.js';
import { commandFailed } from '../actions/command-failed.js';
import { diagnosticError } from '../advice/diagnostic-error.js';
import { findLoadError, type SolutionEvaluation } from '../msbuild/evaluate-solution.js';
import type { CommandRun } from '../process/command-run.js';
import { projectName } from '../project-files/find-project.js';
import { readSolution } from '../project-files/solution-file.js';

/** Reads the projects of a solution, as they are written in it; empty if it cannot be read. */
export function projectsIn(solution: string): string[] {
  try {
    return readSolution(solution).map(({ path }) => path);
  } catch {
    return [];
  }
}

/** Matches the message of `dotnet solution` about a project that it cannot read. It still adds the other projects. */
const REFUSED = /^Invalid project `/m;

/**
 * Adds projects to a solution. A solution folder of a `.sln` must not have the name of a project, so if the CLI adds
 * such a folder, the projects are added again without solution folders.
 * @throws ActionError, with the solution unchanged, if MSBuild cannot load the solution with the projects
 */
export async function addProjects(call: ActionContext): Promise<ActionResult> {
  const path = call.resolve(call.args.solution!);
  const before = { projects: projectsIn(path), text: textOf(path) };
  const run = await edit('add', call);
  const added = () => projectsIn(path).filter((project) => !before.projects.includes(project));
  let error = await brokenBy(added(), path, call);
  if (error) {
    writeFileSync(path, before.text!);
    await edit('add', call, ['--in-root']);
    error = await brokenBy(added(), path, call);
  }
  if (!error)
    return answer(call, run, {
      done: added(),
      verb: 'Added to',
      nothing: 'The solution already contains these projects',
    });
  writeFileSync(path, before.text!);
  throw notAdded(call, run, error);
}

export async function removeProjects(call: ActionContext): Promise<ActionResult> {
  const path = call.resolve(call.args.solution!);
  const before = projectsIn(path);
  const run = await edit('remove', call);
  const after = projectsIn(path);
  const done = before.filter((project) => !after.includes(project));
  return answer(call, run, { done, verb: 'Removed from', nothing: 'The solution does not contain these projects' });
}

async function edit(verb: 'add' | 'remove', call: ActionContext, options: readonly string[] = []): Promise<CommandRun> {
  const { solution, projects } = call.args;
  const label = `Solution ${verb}`;
  const run = await runCli({ label, commandArgs: () => ['solution', solution!, verb, ...projects!, ...options] }, call);
  if (verb === 'remove' || !REFUSED.test(run.output)) return run;
  throw commandFailed(run, { label, partialResult: { solution, projects: projectsIn(call.resolve(solution!)) } });
}

/**
 * Returns the result for the projects that were added or removed. They are read from the solution, because the CLI
 * always ends with 0.
 */
async function answer(
  call: ActionContext,
  { command }: CommandRun,
  { done, verb, nothing }: { done: readonly string[]; verb: string; nothing: string },
): Promise<ActionResult> {
  const { solution } = call.args;
  const summary = done.length > 0 ? `${verb} ${solution}: ${done.join(', ')}` : nothing;
  const projects = projectsIn(call.resolve(solution!));
  const data = { ...(done.length === 0 && { changed: false }), solution, projects };
  return changed(summary, data, { notes: await changedLines(call), command });
}

type LoadError = NonNullable<SolutionEvaluation['loadError']>;

/**
 * Returns the reason why MSBuild cannot load the solution any more, if any. MSBuild is asked only if an added project
 * has the same name as another entry of the solution. `dotnet solution add` accepts that, and adds a solution folder
 * for each folder of a project (SDK 10).
 */
async function brokenBy(
  added: readonly string[],
  solution: string,
  call: ActionContext,
): Promise<LoadError | undefined> {
  const names = namesIn(solution);
  const isAlike = (project: string) => names.filter((name) => name === projectName(project).toLowerCase()).length > 1;
  return added.some(isAlike) ? findLoadError(call.services.solutions(call).host, solution) : undefined;
}

/**
 * Returns the names of the projects and folders of a `.sln`, in lower case. A `.slnx` has no such entries, and the CLI
 * does not write one that cannot be loaded.
 */
function namesIn(solution: string): string[] {
  const entries = (textOf(solution) ?? '').matchAll(/^[ \t]*Project\("[^"\n]*"\)\s*=\s*"([^"\n]*)"/gm);
  return [...entries].map(([, name]) => name!.toLowerCase());
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function notAdded(
  { args: { solution } }: ActionContext,
  run: CommandRun,
  { code = '', message }: LoadError,
): ActionError {
  const text = `${message} Nothing was added to ${solution}.`;
  const diagnostic = { code, message: text, severity: 'error' as const, projects: [], frameworks: [], raw: text };
  return new ActionError(text, {
    errors: [diagnosticError(diagnostic, { code, message: text })],
    exitCode: -1,
    output: run.output,
  });
}
