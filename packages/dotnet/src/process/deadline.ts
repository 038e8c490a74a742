/** A longer timer would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** What ends a wait: its time, or a signal. */
export interface Deadline {
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
