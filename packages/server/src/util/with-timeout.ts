/** What `within` gives when the time was over first. */
export const TIMED_OUT = Symbol('late');

/** What the promise gives, or LATE after `ms` milliseconds or once `signal` fires. The promise itself continues. */
export function withTimeout<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | typeof TIMED_OUT> {
  return new Promise((resolve, reject) => {
    const afterTimeout = () => resolve(TIMED_OUT);
    const timer = setTimeout(afterTimeout, ms);
    signal?.addEventListener('abort', afterTimeout);
    if (signal?.aborted) afterTimeout();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', afterTimeout);
    };
    promise.then(resolve, reject).finally(done);
  });
}
