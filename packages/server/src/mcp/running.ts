/** Things that run, and the wait for their end. */
export interface Running<T> {
  add(one: T): void;
  delete(one: T): void;
  /** Resolves when nothing runs any more, or after `timeoutMs`. */
  idle(timeoutMs: number): Promise<void>;
}

/** @returns with nothing running yet */
export function createRunning<T>(): Running<T> {
  const running = new Set<T>();
  const waiting = new Set<() => void>();
  return {
    add: (one) => void running.add(one),
    delete(one) {
      running.delete(one);
      if (running.size === 0) for (const resolve of waiting) resolve();
    },
    async idle(timeoutMs) {
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        waiting.add(done);
      });
    },
  };
}
