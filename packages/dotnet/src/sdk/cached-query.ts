import { statSync } from 'node:fs';

/** The state of a file or folder; it differs after the file is written, replaced, created or removed. */
export function stateHashOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${path}:${stat.ino}:${stat.size}:${stat.mtimeNs}` : `${path}:none`;
}

/** How often an answer came from memory, for CacheMetrics. */
export interface CacheMetrics {
  hits: number;
  misses: number;
}

/** A result that is valid until its inputs change. Concurrent requests share one result. */
export interface CachedQuery<T> {
  get(key: string, make: () => Promise<T>): Promise<T>;
  reset(): void;
  readonly metrics: Readonly<CacheMetrics>;
  /** When the newest answer was made; undefined while there is none. */
  readonly madeAt: Date | undefined;
}

/** Results by key; failures are not cached. At most `maxKeys` results are kept; the oldest is dropped first. */
export function createCachedQuery<T>(maxKeys = 50): CachedQuery<T> {
  const answers = new Map<string, Promise<T>>();
  const metrics = { hits: 0, misses: 0 };
  let madeAt: Date | undefined;
  return {
    metrics,
    get madeAt() {
      return madeAt;
    },
    get(key, make) {
      const cached = answers.get(key);
      if (cached) {
        metrics.hits++;
        return cached;
      }
      metrics.misses++;
      const made = make();
      madeAt = new Date();
      answers.set(key, made);
      made.catch(() => answers.delete(key));
      if (answers.size > maxKeys) answers.delete(answers.keys().next().value!);
      return made;
    },
    reset() {
      answers.clear();
      metrics.hits = 0;
      metrics.misses = 0;
    },
  };
}
