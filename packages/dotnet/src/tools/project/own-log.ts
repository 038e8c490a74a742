import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ActionContext } from '../../actions/action.js';
import type { CommandRun } from '../../process/command-run.js';
import { findProject, findUpward } from '../../project-files/find-project.js';

/** Mortise's own log, for a build whose console output is not sufficient. */
export interface OwnLog {
  /** What makes MSBuild write it. */
  readonly args: readonly string[];
  /** The run with the log as its output. */
  read(run: CommandRun): Promise<CommandRun>;
  remove(): Promise<void>;
}

/** Switches that change or silence the console logger, in a response file (MSBuild 18). */
const CONSOLE_SWITCH =
  /(?:^|\s|")(?:--?|\/)(?:tl|terminallogger|ll|livelogger|noconlog|noconsolelogger|clp|consoleloggerparameters|ds|detailedsummary|v|verbosity|nologo)(?=[\s:"]|$)/im;

/**
 * The log of a build whose Directory.Build.rsp changes the console output, for example with `-tl:on` or `-noConsoleLogger`;
 * switches in a response file cannot disable it. Undefined otherwise, and for a single C# file, which `dotnet build` builds
 * without such switches.
 */
export async function createOwnLog(call: ActionContext): Promise<OwnLog | undefined> {
  const { project, verbosity } = call.args;
  if (/\.cs$/i.test(project ?? '') || !changesConsole(call)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'mortise-log-'));
  const file = join(folder, 'build.log');
  return {
    args: ['-tl:off', `-flp9:LogFile=${file};Verbosity=${verbosity ?? 'minimal'};Summary;Encoding=UTF-8`],
    async read(run) {
      const log = await readFile(file, 'utf8').catch(() => undefined);
      if (log === undefined) return run;
      const text = log.replace(/^\uFEFF\s*/, '').replace(/^FileLogger wrote to: .*\r?\n?/gm, '');
      return { ...run, output: text + run.stderr, stdout: text };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** MSBuild reads the nearest Directory.Build.rsp from the folder of the project upward. */
function changesConsole(call: ActionContext): boolean {
  const path = call.resolve(call.args.project ?? '.');
  const folder = /\.\w+$/.test(path) || findProject(path) === path ? dirname(path) : path;
  const file = findUpward(folder, 'Directory.Build.rsp');
  if (file === undefined) return false;
  try {
    return CONSOLE_SWITCH.test(readFileSync(file, 'utf8').replace(/^\s*#.*$/gm, ''));
  } catch {
    return false;
  }
}
