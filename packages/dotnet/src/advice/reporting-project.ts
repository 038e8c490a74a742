import { resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../process/command-run.js';
import { findProject } from '../project-files/find-project.js';
import { isProjectFile } from './codes/source-kind.js';

/** The diagnostics of a run; those that were printed without a project belong to the one that the command was about. */
export function withProjects({ diagnostics }: DiagnosticReport, run: CommandRun): readonly Diagnostic[] {
  if (diagnostics.every(({ projects }) => projects.length > 0)) return diagnostics;
  const project = projectOf(run);
  if (project === undefined) return diagnostics;
  return diagnostics.map((diagnostic) =>
    diagnostic.projects.length > 0 ? diagnostic : { ...diagnostic, projects: [project] },
  );
}

/** The project or solution that a command names, by its file or its folder; else the only project in its working directory. Absolute. */
export function projectOf({ args, cwd }: Pick<CommandRun, 'args' | 'cwd'>): string | undefined {
  const end = args.indexOf('--');
  const named = args.slice(0, end < 0 ? undefined : end).find((arg) => isProjectFile(arg) || /\.cs$/i.test(arg));
  return named === undefined ? (projectInFolder(args, cwd) ?? findProject(cwd)) : resolve(cwd, named);
}

/** Commands of `dotnet` whose first argument is a command too. */
const WITH_SUBCOMMANDS: readonly string[] = ['nuget', 'package', 'tool', 'workload', 'sln', 'new', 'ef'];

/** The only project of a folder that a command names before its options. */
function projectInFolder(args: readonly string[], cwd: string): string | undefined {
  const options = args.findIndex((arg) => arg.startsWith('-'));
  const positional = args.slice(WITH_SUBCOMMANDS.includes(args[0]!) ? 2 : 1, options < 0 ? undefined : options);
  return positional.map((arg) => findProject(resolve(cwd, arg))).find((project) => project !== undefined);
}
