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
