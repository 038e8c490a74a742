/** What `within` gives when the time was over first. */
export const LATE = Symbol('late');

/** What the promise gives, or LATE after `ms` milliseconds or once `signal` fires. The promise itself goes on. */
export function within<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const late = () => resolve(LATE);
    const timer = setTimeout(late, ms);
    signal?.addEventListener('abort', late);
    if (signal?.aborted) late();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', late);
    };
    promise.then(resolve, reject).finally(done);
  });
}
