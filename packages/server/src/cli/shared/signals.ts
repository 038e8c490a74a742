import { closeSync, openSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export type StopSignal = (typeof SIGNALS)[number];

/**
 * Calls back at the first SIGINT or SIGTERM. After that, and after the returned function is called, a signal ends the
 * process at once, as signals do.
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

/** Whether a terminal is behind this process, so that SIGHUP says that it was closed. On Windows it always says that. */
export function hasControllingTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
