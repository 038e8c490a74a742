import type { ServerProcess } from './server-process.js';

/** Looks after a server's process, as a plugin's is. */
export interface ProcessKeeper {
  /** How long the process may take to end by itself once its input has, in milliseconds. */
  readonly endMs: number;
  started(process: ServerProcess): void;
  /** Whether something is running in it. */
  setBusy(isBusy: boolean): void;
  /** A line that it has printed. */
  hear(line: string): void;
  /** Why it ended by itself, where what it printed says so. */
  cause(): string | undefined;
}
