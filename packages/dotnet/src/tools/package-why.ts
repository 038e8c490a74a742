import { existsSync } from 'node:fs';
import type { ActionContext, ActionResult } from '../actions/action.js';
import { options, positional, runCli } from '../actions/cli-action.js';
import { commandFailed } from '../actions/command-failed.js';
import { evaluateSolution } from '../msbuild/evaluate-solution.js';
import { assetsPath } from '../nuget/assets.js';
import { type DependencyPath, parseNuGetWhy } from '../nuget/parse-nuget-why.js';
import { type CommandRun, commandNotRun } from '../process/command-run.js';
import { isSolutionPath, readSolution } from '../project-files/solution-file.js';
import { projectOrSolution } from './read-packages.js';

const QUERY = { properties: ['ProjectAssetsFile'], itemTypes: [] };

/**
 * Implements `dotnet_package` Why. `nuget why` gets assets files, because it would evaluate a project without the
 * restrictions for read-only actions (docs/spec/dotnet-evaluation.md#reading-projects).
 */
export async function whyPackage(call: ActionContext): Promise<ActionResult> {
  const { project, packageId } = call.args;
  const path = projectOrSolution(call);
  if (path === undefined) {
    const run = await runCli({ label: 'Why', commandArgs: () => whyArguments(call, positional(project ?? '.')) }, call);
    throw commandFailed(run, { label: 'Why' });
  }
  const runs: CommandRun[] = [];
  for (const file of await assetsFiles(call, path)) {
    runs.push(await runCli({ label: 'Why', commandArgs: () => whyArguments(call, [file]) }, call));
  }
  const paths: DependencyPath[] = [];
  const problems: string[] = [];
  for (const run of runs) {
    const why = parseNuGetWhy(run.output);
    if ('problem' in why) throw commandFailed(run, { label: 'Why' });
    paths.push(...why.paths);
    problems.push(...(why.problems ?? []));
  }
  const output = runs.map((run) => run.output.trim()).join('\n\n');
  const { command } = runs.at(-1)!;
  const text = paths.length > 0 ? [...pathLines(paths), ...problems].join('\n') : output;
  return { data: { packageId, paths, ...(problems.length > 0 && { problems }) }, text, command, output };
}

/**
 * Returns lines such as `Serilog 4.3.0: direct reference of App, Lib` or `Serilog 4.3.0: by Serilog.AspNetCore 9.0.0 of
 * App`.
 */
function pathLines(paths: readonly DependencyPath[]): string[] {
  const isMixed = new Set(paths.map(({ frameworks }) => frameworks.join())).size > 1;
  const users = new Map<string, string[]>();
  for (const { project, frameworks, packages } of paths) {
    const named = packages.map(({ name, version }) => `${name} ${version}`);
    const target = named.at(-1)!;
    const chain =
      named.length === 1 ? `${target}: direct reference of ` : `${target}: by ${named.slice(0, -1).join(' → ')} of `;
    users.set(chain, [...(users.get(chain) ?? []), isMixed ? `${project} (${frameworks.join(', ')})` : project]);
  }
  return [...users].map(([chain, projects]) => chain + projects.join(', '));
}

function whyArguments({ args: { packageId, framework } }: ActionContext, path: readonly string[]): string[] {
  return ['nuget', 'why', ...path, packageId!, ...options(['--framework', framework])];
}

/** Returns the existing assets files of the projects. @throws ActionError if no project is restored */
async function assetsFiles(call: ActionContext, path: string): Promise<string[]> {
  const evaluations = isSolutionPath(path)
    ? (
        await evaluateSolution(
          call.services.solutions(call).host,
          path,
          readSolution(path).map(({ absolutePath }) => absolutePath),
          QUERY,
        )
      ).evaluations
    : [await call.services.projects(call).evaluate(path, QUERY)];
  const files = [...new Set(evaluations.map(assetsPath))].filter((file) => existsSync(file));
  if (files.length > 0) return files;
  const stderr = `No assets file was found for \`${path}\`. Run restore before running this command.`;
  const run = commandNotRun(call, whyArguments(call, [path]), stderr);
  throw commandFailed(run, { label: 'Why' });
}
