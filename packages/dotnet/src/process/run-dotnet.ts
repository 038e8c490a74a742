import { type CommandRun, displayCommand, type RunDotnet, withOwnArgs } from './command-run.js';
import type { DotnetProcesses } from './dotnet-processes.js';
import { BoundedOutput, linesOf } from './output.js';

export interface RunDotnetOptions {
  readonly processes: DotnetProcesses;
  /** The maximum output that is kept of one command, in bytes (`Output.MaxBytes`). */
  readonly maxBytes: number;
  /** The time between SIGINT and SIGKILL when a command is ended, in milliseconds. */
  readonly graceMs?: number;
}

/**
 * Commands are ended by SIGINT, because MSBuild then ends its tasks; after SIGTERM it would exit with 0 (SDK 10.0.401).
 */
export function createRunDotnet({ processes, maxBytes, graceMs = 5000 }: RunDotnetOptions): RunDotnet {
  return async ({ args, ownArgs, command = displayCommand('dotnet', args), cwd, signal, timeoutMs, ...rest }) => {
    const { env, stdin, ...callbacks } = rest;
    const { onLine, onStart, onTermination, markSecrets } = callbacks;
    const startedAt = new Date();
    const startMs = performance.now();
    const output = new BoundedOutput(maxBytes);
    const result = (terminatedBy: CommandRun['terminatedBy'], exitCode: number): CommandRun => ({
      args,
      command,
      cwd,
      terminatedBy,
      exitCode: terminatedBy === 'exited' ? exitCode : -1,
      ...output.read(),
      startedAt,
      durationMs: Math.round(performance.now() - startMs),
    });
    if (signal.aborted) return result('cancelled', -1);

    const process = await processes.start({
      args: withOwnArgs(args, ownArgs),
      command,
      cwd,
      ...(env && { env }),
      ...(stdin !== undefined && { stdin }),
      onText(raw, stream) {
        const text = markSecrets?.(raw) ?? raw;
        output.add(text, stream);
        if (onLine) for (const line of linesOf(text)) onLine(line, stream);
      },
    });
    onStart?.(process.pid);
    const deadline = createDeadline(timeoutMs, signal);
    const terminatedBy = await Promise.race([process.ended.then(() => 'exited' as const), deadline.over]);
    deadline.stop();
    if (terminatedBy !== 'exited') {
      onTermination?.(terminatedBy);
      await process.end('SIGINT', graceMs);
    }
    return result(terminatedBy, await process.ended);
  };
}

/** The longest possible timer. A longer one would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The end of a wait by time or by a signal. */
export interface Deadline {
  /** Resolves when the time is over or the signal fires. */
  readonly over: Promise<'cancelled' | 'timed out'>;
  /** Call it when the deadline is no longer needed. */
  stop(): void;
}

export function createDeadline(timeoutMs: number, signal: AbortSignal): Deadline {
  let stop = () => {};
  const over = new Promise<'cancelled' | 'timed out'>((resolve) => {
    const timer = setTimeout(() => resolve('timed out'), Math.min(timeoutMs, MAX_TIMER_MS));
    const onAbort = () => resolve('cancelled');
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  return { over, stop: () => stop() };
}
