import type { ChildProcess } from 'node:child_process';
import { killTree } from '@mortise/process';
import type { OutputLines } from './child-output.js';

/** How long its output is still read after it has ended, if another process keeps the pipe open, in milliseconds. */
const DRAIN_MS = 200;

/** What ran the plugin ended while work was in progress. `output` is what it printed last. */
export class ProcessExitedError extends Error {
  constructor(
    readonly reason: string,
    readonly output: string,
  ) {
    super(reason);
  }
}

/** How the process ended, in words, once its last output was read. What is left of its group is ended. */
export function waitForExit(child: ChildProcess, outputs: readonly OutputLines[]): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`it could not be started: ${message}`);
    });
    child.once('exit', (code, signal) => {
      if (child.pid !== undefined) killTree(child.pid);
      for (const lines of outputs) lines.drain();
      const finish = () => resolve(exitReason(code, signal));
      // `close` comes after the last output was read; or never, if another process keeps the pipe open.
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
