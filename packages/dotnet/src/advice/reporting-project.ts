import { resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../process/command-run.js';
import { findProject } from '../project-files/find-project.js';
import { isProjectFile } from './codes/source-kind.js';

/** Adds the project that the command was about to each diagnostic without a project. */
export function withProjects({ diagnostics }: DiagnosticReport, run: CommandRun): readonly Diagnostic[] {
  if (diagnostics.every(({ projects }) => projects.length > 0)) return diagnostics;
  const project = projectOf(run);
  if (project === undefined) return diagnostics;
  return diagnostics.map((diagnostic) =>
    diagnostic.projects.length > 0 ? diagnostic : { ...diagnostic, projects: [project] },
  );
}

/**
 * Returns the absolute path of the project, solution or C# file that a command names by its file or folder, or else of
 * the only project in the working directory; undefined if neither exists.
 */
export function projectOf({ args, cwd }: Pick<CommandRun, 'args' | 'cwd'>): string | undefined {
  const separator = args.indexOf('--');
  const named = args
    .slice(0, separator < 0 ? undefined : separator)
    .find((arg) => isProjectFile(arg) || /\.cs$/i.test(arg));
  return named === undefined ? (projectInFolder(args, cwd) ?? findProject(cwd)) : resolve(cwd, named);
}

const WITH_SUBCOMMANDS: readonly string[] = ['nuget', 'package', 'tool', 'workload', 'sln', 'new', 'ef'];

/** Returns the only project of a folder that a command names before its options. */
function projectInFolder(args: readonly string[], cwd: string): string | undefined {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const start = WITH_SUBCOMMANDS.includes(args[0]!) ? 2 : 1;
  const positional = args.slice(start, firstOption < 0 ? undefined : firstOption);
  return positional.map((arg) => findProject(resolve(cwd, arg))).find((project) => project !== undefined);
}
