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

/** The projects that a solution lists now, as they are written in it. */
export function projectsIn(solution: string): string[] {
  try {
    return readSolution(solution).map(({ path }) => path);
  } catch {
    return [];
  }
}

/** `dotnet solution` reports a project that it cannot read on a line, and adds the others. */
const REFUSED = /^Invalid project `/m;

/** Adds projects; in a `.sln` without solution folders where these would have the name of a project. */
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
  const now = projectsIn(path);
  const done = before.filter((project) => !now.includes(project));
  return answer(call, run, { done, verb: 'Removed from', nothing: 'The solution does not contain these projects' });
}

async function edit(verb: 'add' | 'remove', call: ActionContext, options: readonly string[] = []): Promise<CommandRun> {
  const { solution, projects } = call.args;
  const label = `Solution ${verb}`;
  const run = await runCli({ label, commandArgs: () => ['solution', solution!, verb, ...projects!, ...options] }, call);
  if (verb === 'remove' || !REFUSED.test(run.output)) return run;
  throw commandFailed(run, { label, partialResult: { solution, projects: projectsIn(call.resolve(solution!)) } });
}

/** What was changed is the difference of the solution, for the CLI ends with 0 in any case. */
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
 * Why MSBuild cannot load the solution any more. It is only asked if an added project has the name of something else in
 * the solution: `dotnet solution add` accepts that, and adds a solution folder for each folder (SDK 10).
 */
async function brokenBy(
  added: readonly string[],
  solution: string,
  call: ActionContext,
): Promise<LoadError | undefined> {
  const names = namesIn(solution);
  const isAlike = (project: string) => names.filter((name) => name === projectName(project).toLowerCase()).length > 1;
  return added.some(isAlike) ? findLoadError(call.services.solutions(call).dotnet, solution) : undefined;
}

/** The names of the projects and folders of a `.sln`, in lower case; a `.slnx` is not written if it cannot be loaded. */
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
