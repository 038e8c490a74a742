import { createDiagnosticReader, type DiagnosticOptions, type DiagnosticReport } from '../../diagnose/diagnostics.js';
import type { CommandRun } from '../../process/command-run.js';
import { isWithin } from '../../process/tree.js';
import type { ActionCall } from '../../tool/action.js';
import { commandFailed } from '../../tool/command-failed.js';
import { buildProgress } from './build-progress.js';
import { type BuildOutput, outputIn } from './output-lines.js';
import { createOwnLog } from './own-log.js';

/** What a build said of itself. */
export interface BuildLog {
  readonly report: DiagnosticReport;
  /** In order; each path once. */
  readonly outputs: readonly BuildOutput[];
}

/** Reads the output of a build as it comes, once, and reports progress: what a bounded output drops counts all the same. */
export interface BuildReader {
  onLine(line: string): void;
  end(): BuildLog;
}

export function createBuildReader(call: ActionCall, options?: DiagnosticOptions): BuildReader {
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
  readonly run: CommandRun;
}

export interface BuildCommand {
  /** How messages call it: `Build`. */
  readonly verb: string;
  readonly argv: readonly string[];
  /** Arguments of ours, which no result shows. */
  readonly ownArgs?: readonly string[];
  /** In addition to that it ended with 0. */
  isSuccess?(log: BuildLog): boolean;
  /** Fields that are known beside an error. */
  known(log: BuildLog): object;
}

/**
 * Runs a command that builds, and reads what it says: its console, or a log of ours where that says less.
 */
export async function runLogged(
  call: ActionCall,
  argv: readonly string[],
  { ownArgs = [], ...options }: DiagnosticOptions & { readonly ownArgs?: readonly string[] } = {},
): Promise<BuildRun> {
  const console = createBuildReader(call, options);
  const ownLog = await createOwnLog(call);
  try {
    const run = await call.dotnet(argv, { onLine: console.onLine, ownArgs: [...ownArgs, ...(ownLog?.args ?? [])] });
    if (!ownLog) return { ...console.end(), run };
    const logged = await ownLog.read(run);
    const reader = createBuildReader(call, options);
    for (const line of logged.output.split(/\r?\n/)) reader.onLine(line);
    return { ...reader.end(), run: logged };
  } finally {
    await ownLog?.remove();
  }
}

/** Runs a command that builds. @throws ActionFailed when it did not do what it should */
export async function runBuild(
  { verb, argv, ownArgs = [], isSuccess, known }: BuildCommand,
  call: ActionCall,
): Promise<BuildRun> {
  const { run, ...log } = await runLogged(call, argv, { ownArgs });
  if (run.ending === 'exited' && run.exitCode === 0 && (isSuccess?.(log) ?? true)) return { ...log, run };
  const sessions = call.services.sessions.list().map(({ sessionId, pid }) => ({
    sessionId,
    owns: (other: number) => isWithin(other, pid),
  }));
  throw commandFailed(run, { verb, report: log.report, sessions, known: known(log) });
}
