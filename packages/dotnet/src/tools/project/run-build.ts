import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isSameOrDescendant } from '@mortise/process';
import type { ActionContext } from '../../actions/action.js';
import { commandFailed, type FailedCommand } from '../../actions/command-failed.js';
import {
  createDiagnosticReader,
  type DiagnosticOptions,
  type DiagnosticReport,
} from '../../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../../process/command-run.js';
import { findProject, findUpward } from '../../project-files/find-project.js';
import { readSolution } from '../../project-files/solution-file.js';
import { withRepairs } from '../code/repair.js';
import { type BuildOutput, outputIn } from './output-lines.js';

/** The diagnostics and the outputs in the log of a build. */
export interface BuildLog {
  readonly report: DiagnosticReport;
  /** The outputs in order of first appearance, each path once. */
  readonly outputs: readonly BuildOutput[];
}

/**
 * Parses the output of a build as it arrives, and reports progress. So it also sees output that is not kept because it
 * is too long.
 */
export interface BuildReader {
  onLine(line: string): void;
  end(): BuildLog;
}

function createBuildReader(call: ActionContext, options?: DiagnosticOptions): BuildReader {
  const diagnostics = createDiagnosticReader(options);
  const outputs = new Map<string, BuildOutput>();
  const progress = buildProgress(call);
  return {
    onLine(line) {
      diagnostics.line(line);
      const output = outputIn(line);
      if (output) outputs.set(output.path, output);
      progress(line, output);
    },
    end: () => ({ report: diagnostics.end(), outputs: [...outputs.values()] }),
  };
}

export interface BuildRun extends BuildLog {
  /** The run. Its output is the console output, or Mortise's own log if that was parsed. */
  readonly run: CommandRun;
}

interface LoggedOptions extends DiagnosticOptions {
  readonly ownArgs?: readonly string[];
  /** The absolute folder of the command. Default: the folder of the call. */
  readonly cwd?: string;
  /** Variables in addition to those of every command. */
  readonly env?: Record<string, string>;
  /** False if the command does not accept the switches of MSBuild's loggers. Default: true. */
  readonly hasOwnLog?: boolean;
}

export interface BuildCommand {
  /** The name of the command in messages: `Build`. */
  readonly label: string;
  readonly commandArgs: readonly string[];
  /** Arguments that no result shows. See `CommandRequest.ownArgs`. */
  readonly ownArgs?: readonly string[];
  /** True if a build that exited with 0 succeeded. Default: always true. */
  isSuccess?(log: BuildLog): boolean;
  /** Returns the fields of the result of a failed build, in addition to its errors. */
  partialResult(log: BuildLog): object;
}

/** Runs a command that builds. Parses its console output, or Mortise's own log if there is one. */
export async function runLogged(
  call: ActionContext,
  commandArgs: readonly string[],
  { ownArgs = [], cwd = call.cwd, env = {}, hasOwnLog = true, ...options }: LoggedOptions = {},
): Promise<BuildRun & { readonly console: CommandRun }> {
  const buildReader = createBuildReader(call, options);
  const ownLog = hasOwnLog ? await createOwnLog(call) : undefined;
  try {
    const allOwnArgs = [...ownArgs, ...(ownLog?.args ?? [])];
    const run = await call.dotnet(commandArgs, { cwd, env, onLine: buildReader.onLine, ownArgs: allOwnArgs });
    if (!ownLog) return { ...buildReader.end(), run, console: run };
    const logged = await ownLog.read(run);
    const reader = createBuildReader(call, options);
    for (const line of logged.output.split(/\r?\n/)) reader.onLine(line);
    return { ...reader.end(), run: logged, console: run };
  } finally {
    await ownLog?.remove();
  }
}

/** Runs a command that builds. @throws ActionError if the build fails */
export async function runBuild(
  { label, commandArgs, ownArgs = [], isSuccess, partialResult }: BuildCommand,
  call: ActionContext,
): Promise<BuildRun> {
  const { run, ...log } = await runLogged(call, commandArgs, { ownArgs });
  if (run.terminatedBy === 'exited' && run.exitCode === 0 && (isSuccess?.(log) ?? true)) return { ...log, run };
  const failure = commandFailed(run, {
    label,
    report: log.report,
    sessions: runningSessions(call),
    partialResult: partialResult(log),
  });
  throw await withRepairs(failure, call);
}

/** Returns the running sessions, for the diagnosis of files and ports that one of them has in use. */
export function runningSessions({ sessions }: ActionContext): NonNullable<FailedCommand['sessions']> {
  return sessions
    .list()
    .filter(({ status }) => status === 'running')
    .map(({ sessionId, pid, urls }) => ({ sessionId, urls, owns: (other: number) => isSameOrDescendant(other, pid) }));
}

/** The highest progress before the build has ended. */
const MAX_PERCENT = 95;
const RESTORED_PERCENT = 10;

/** Creates a reader of build output that reports progress: restored packages, project i of n, completed tests. */
function buildProgress(call: ActionContext): (line: string, output: BuildOutput | undefined) => void {
  const { progress } = call.context;
  const expected = projectCount(call);
  const builtProjects = new Set<string>();
  let testCount = 0;
  let percent = 0;
  const report = (next: number, message: string) => {
    percent = Math.max(percent, Math.min(MAX_PERCENT, next));
    progress.report(percent, message);
  };
  return (line, output) => {
    const restored = /^\s*Restored (.+?) \(in /.exec(line)?.[1];
    if (restored !== undefined || /up-to-date for restore/.test(line)) {
      report(RESTORED_PERCENT, restored === undefined ? 'Packages are up to date' : `Restored ${restored}`);
      return;
    }
    if (output !== undefined) {
      builtProjects.add(output.project);
      const total = Math.max(expected, builtProjects.size);
      const share = builtProjects.size / total;
      const count = expected > 1 ? ` (${builtProjects.size} of ${total})` : '';
      report(RESTORED_PERCENT + share * (MAX_PERCENT - RESTORED_PERCENT - 5), `Built ${output.project}${count}`);
      return;
    }
    if (/^\s*(?:Passed|Failed|Skipped|passed|failed|skipped) \S+.*\[?\(?[<\d]+.*(?:ms|s|m)\b/.test(line)) {
      testCount++;
      report(percent, testCount === 1 ? '1 test completed' : `${testCount} tests completed`);
    }
  };
}

/** Returns the number of projects that the call builds; 1 if the files do not show it. */
function projectCount(call: ActionContext): number {
  const path = call.resolve(call.args.project ?? '.');
  if (findProject(path) !== undefined) return 1;
  try {
    return Math.max(1, readSolution(path).length);
  } catch {
    return 1;
  }
}

/** Mortise's own log, for a build whose console output cannot be parsed. */
export interface OwnLog {
  /** The switches that make MSBuild write the log. */
  readonly args: readonly string[];
  /** Returns the run with the log as its output. */
  read(run: CommandRun): Promise<CommandRun>;
  remove(): Promise<void>;
}

/** Matches the switches in a response file that change or disable the console logger (MSBuild 18). */
const CONSOLE_SWITCH =
  /(?:^|\s|")(?:--?|\/)(?:tl|terminallogger|ll|livelogger|noconlog|noconsolelogger|clp|consoleloggerparameters|ds|detailedsummary|v|verbosity|nologo)(?=[\s:"]|$)/im;

/**
 * Creates Mortise's own log if a Directory.Build.rsp changes the console output, for example with `-tl:on` or
 * `-noConsoleLogger`. Switches in a response file cannot disable this log. Returns undefined otherwise, and for a
 * file-based app, which `dotnet build` builds without further switches.
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

/** True if the Directory.Build.rsp that MSBuild reads, the nearest above the project, changes the console logger. */
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
