import { isWithin } from '@mortise/process';
import type { ActionContext } from '../../actions/action.js';
import { commandFailed, type FailedCommand } from '../../actions/command-failed.js';
import {
  createDiagnosticReader,
  type DiagnosticOptions,
  type DiagnosticReport,
} from '../../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../../process/command-run.js';
import { buildProgress } from './build-progress.js';
import { type BuildOutput, outputIn } from './output-lines.js';
import { createOwnLog } from './own-log.js';

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

export function createBuildReader(call: ActionContext, options?: DiagnosticOptions): BuildReader {
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
