import { closeSync, openSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export type StopSignal = (typeof SIGNALS)[number];

/**
 * Calls back at the first SIGINT or SIGTERM. The callback decides how long running calls have (front/mcp/stop-ms.ts). After that, and after the returned function is called, a signal ends the
 * process immediately, as by default.
 */
export function onStopSignal(callback: (signal: StopSignal) => void): () => void {
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
  const listener = (signal: StopSignal) => {
    stop();
    callback(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return stop;
}

/** Whether this process has a controlling terminal, so that SIGHUP means that it was closed. On Windows it always means that. */
export function hasControllingTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
