import { setTimeout } from 'node:timers/promises';

/** What `within` gives when the time was over first. */
export const LATE = Symbol('late');

/** What the promise gives, or LATE after `ms` milliseconds or once `signal` fires. The promise itself goes on. */
export async function within<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | typeof LATE> {
  const done = new AbortController();
  const until = signal ? AbortSignal.any([done.signal, signal]) : done.signal;
  const over = setTimeout(ms, LATE, { signal: until }).catch(() => LATE);
  try {
    return await Promise.race([promise, over as Promise<typeof LATE>]);
  } finally {
    done.abort();
  }
}
