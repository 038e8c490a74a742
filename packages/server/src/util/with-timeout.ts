/** The result of {@link withTimeout} if the time was over first. */
export const TIMED_OUT = Symbol('timed out');

/** Resolves to the promise's value, or to TIMED_OUT after `ms` or when the signal fires. The work itself continues. */
export function withTimeout<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | typeof TIMED_OUT> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(TIMED_OUT);
    const timer = setTimeout(giveUp, ms);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) giveUp();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    promise.then(resolve, reject).finally(done);
  });
}
