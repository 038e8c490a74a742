import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isWithin } from '@mortise/process';
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
import { type BuildOutput, outputIn } from './output-lines.js';

/** What a build said of itself. */
export interface BuildLog {
  readonly report: DiagnosticReport;
  /** In order; each path once. */
  readonly outputs: readonly BuildOutput[];
}

/** Reads the output of a build once, as it arrives, and reports progress; output that is dropped later is counted too. */
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
  /** With the output that was read: of the console, or the log of ours. */
  readonly run: CommandRun;
}

/** How {@link runLogged} runs a command. */
interface LoggedOptions extends DiagnosticOptions {
  readonly ownArgs?: readonly string[];
  /** Default: that of the call. */
  readonly cwd?: string;
  /** In addition to the environment of this server. */
  readonly env?: Record<string, string>;
  /** Whether the command takes the switches of MSBuild's loggers; default true. */
  readonly hasOwnLog?: boolean;
}

export interface BuildCommand {
  /** How messages call it: `Build`. */
  readonly label: string;
  readonly commandArgs: readonly string[];
  /** Arguments of ours, which no result shows. */
  readonly ownArgs?: readonly string[];
  /** In addition to that it ended with 0. */
  isSuccess?(log: BuildLog): boolean;
  /** Fields that are known in addition to an error. */
  partialResult(log: BuildLog): object;
}

/**
 * Runs a command that builds, and reads its console output, or Mortise's own log if that contains more.
 */
export async function runLogged(
  call: ActionContext,
  commandArgs: readonly string[],
  { ownArgs = [], cwd = call.cwd, env = {}, hasOwnLog = true, ...options }: LoggedOptions = {},
): Promise<BuildRun & { readonly console: CommandRun }> {
  const buildReader = createBuildReader(call, options);
  const ownLog = hasOwnLog ? await createOwnLog(call) : undefined;
  try {
    const all = [...ownArgs, ...(ownLog?.args ?? [])];
    const run = await call.dotnet(commandArgs, { cwd, env, onLine: buildReader.onLine, ownArgs: all });
    if (!ownLog) return { ...buildReader.end(), run, console: run };
    const logged = await ownLog.read(run);
    const reader = createBuildReader(call, options);
    for (const line of logged.output.split(/\r?\n/)) reader.onLine(line);
    return { ...reader.end(), run: logged, console: run };
  } finally {
    await ownLog?.remove();
  }
}

/** Runs a command that builds. @throws ActionError when it did not do what it should */
export async function runBuild(
  { label, commandArgs, ownArgs = [], isSuccess, partialResult }: BuildCommand,
  call: ActionContext,
): Promise<BuildRun> {
  const { run, ...log } = await runLogged(call, commandArgs, { ownArgs });
  if (run.terminatedBy === 'exited' && run.exitCode === 0 && (isSuccess?.(log) ?? true)) return { ...log, run };
  throw commandFailed(run, {
    label,
    report: log.report,
    sessions: runningSessions(call),
    partialResult: partialResult(log),
  });
}

/** The background sessions, to find the one that has a needed file or port in use. */
export function runningSessions({ sessions }: ActionContext): NonNullable<FailedCommand['sessions']> {
  return sessions
    .list()
    .filter(({ status }) => status === 'running')
    .map(({ sessionId, pid, urls }) => ({ sessionId, urls, owns: (other: number) => isWithin(other, pid) }));
}

/** What is left for the end of the work. */
const MAX_PERCENT = 95;
const RESTORED_PERCENT = 10;

/** Reports the progress that a build prints: packages restored, project i of n built, tests that ended. */
function buildProgress(call: ActionContext): (line: string, output: BuildOutput | undefined) => void {
  const { progress } = call.context;
  const expected = projectCount(call);
  const built = new Set<string>();
  let tests = 0;
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
      built.add(output.project);
      const share = built.size / Math.max(expected, built.size);
      const count = expected > 1 ? ` (${built.size} of ${Math.max(expected, built.size)})` : '';
      report(RESTORED_PERCENT + share * (MAX_PERCENT - RESTORED_PERCENT - 5), `Built ${output.project}${count}`);
      return;
    }
    if (/^\s*(?:Passed|Failed|Skipped|passed|failed|skipped) \S+.*\[?\(?[<\d]+.*(?:ms|s|m)\b/.test(line)) {
      tests++;
      report(percent, tests === 1 ? '1 test completed' : `${tests} tests completed`);
    }
  };
}

/** How many projects the call builds, as far as files show it; otherwise 1. */
function projectCount(call: ActionContext): number {
  const path = call.resolve(call.args.project ?? '.');
  if (findProject(path) !== undefined) return 1;
  try {
    return Math.max(1, readSolution(path).length);
  } catch {
    return 1;
  }
}

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
