import type { ChildProcess } from 'node:child_process';
import { killTree } from '@mortise/process';
import type { OutputLines } from './child-output.js';

/** The time for which output is still read after the end of the process, if another process keeps the pipe open. */
const DRAIN_MS = 200;

/** Thrown if a process or connection ended while work was in progress. `output` has its last lines. */
export class ProcessExitedError extends Error {
  constructor(
    readonly reason: string,
    readonly output: string,
  ) {
    super(reason);
  }
}

/** Waits for the end of a process, kills what is left of its group, and reads its last output. @returns the reason as a clause */
export function waitForExit(child: ChildProcess, outputs: readonly OutputLines[]): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`it could not be started: ${message}`);
    });
    child.once('exit', (code, signal) => {
      if (child.pid !== undefined) killTree(child.pid);
      for (const lines of outputs) lines.drain();
      const finish = () => resolve(exitReason(code, signal));
      // `close` is emitted after the last output was read. It never is if another process keeps the pipe open.
      const timer = setTimeout(finish, DRAIN_MS);
      child.once('close', () => {
        clearTimeout(timer);
        finish();
      });
    });
  });
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === 'SIGABRT') return 'it was aborted (SIGABRT): out of memory, or process.abort()';
  if (signal !== null) return `it was ended by the signal ${signal}`;
  return code === 0 ? 'it exited with code 0' : `it exited with code ${code}`;
}
