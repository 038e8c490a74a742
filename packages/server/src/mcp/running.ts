import { IdMap } from '../util/id-map.js';

/** Requests that run, by id, and the wait for their end. */
export interface Running {
  add(id: string | number): void;
  delete(id: string | number): void;
  /** Resolves when nothing runs any more, or after `timeoutMs`. */
  idle(timeoutMs: number): Promise<void>;
}

/** @returns with nothing running yet */
export function createRunning(): Running {
  const running = new IdMap<true>();
  const waiting = new Set<() => void>();
  return {
    add: (id) => running.set(id, true),
    delete(id) {
      running.delete(id);
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
