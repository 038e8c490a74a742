import { createDiagnosticReader, type DiagnosticOptions, type DiagnosticReport } from '../../diagnose/diagnostics.js';
import type { CommandRun } from '../../process/command-run.js';
import { isWithin } from '../../process/tree.js';
import type { ActionCall } from '../../tool/action.js';
import { commandFailed } from '../../tool/command-failed.js';
import { buildProgress } from './build-progress.js';
import { type BuildOutput, outputIn } from './output-lines.js';

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
  /** Beside that it ended with 0. */
  isSuccess?(log: BuildLog): boolean;
  /** Fields that are known beside an error. */
  known(log: BuildLog): object;
}

/** Runs a command that builds. @throws ActionFailed when it did not do what it should */
export async function runBuild({ verb, argv, isSuccess, known }: BuildCommand, call: ActionCall): Promise<BuildRun> {
  const reader = createBuildReader(call);
  const run = await call.dotnet(argv, { onLine: reader.onLine });
  const log = reader.end();
  if (run.ending === 'exited' && run.exitCode === 0 && (isSuccess?.(log) ?? true)) return { ...log, run };
  const sessions = call.services.sessions.list().map(({ sessionId, pid }) => ({
    sessionId,
    owns: (other: number) => isWithin(other, pid),
  }));
  throw commandFailed(run, { verb, report: log.report, sessions, known: known(log) });
}
