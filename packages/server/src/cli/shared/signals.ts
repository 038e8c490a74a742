import { closeSync, openSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export type StopSignal = (typeof SIGNALS)[number];

/**
 * Calls back at the first SIGINT or SIGTERM; the callback can let running calls end (docs/spec/protocol.md#http-shutdown). After the
 * first signal, or after the returned function is called, a signal ends the process immediately, which is the default.
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

/** Returns true if this process has a controlling terminal, so that SIGHUP means its end. Returns true on Windows. */
export function hasControllingTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
