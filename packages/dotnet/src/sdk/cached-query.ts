import { statSync } from 'node:fs';

/** Returns a text that changes when the file or folder is written, replaced, created or removed. */
export function stateHashOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${path}:${stat.ino}:${stat.size}:${stat.mtimeNs}` : `${path}:none`;
}

/** The numbers of requests that were answered from the cache, and of those that were not (action CacheMetrics). */
export interface CacheMetrics {
  hits: number;
  misses: number;
}

/** A cache of results. Concurrent requests for a key share one result. */
export interface CachedQuery<T> {
  /**
   * Returns the cached result for a key or, if there is none, the result of `make`.
   * @param key contains all inputs of `make`, so that it changes when they change
   */
  get(key: string, make: () => Promise<T>): Promise<T>;
  reset(): void;
  readonly metrics: Readonly<CacheMetrics>;
  /** The time of the newest request that was not answered from the cache, if any. */
  readonly madeAt: Date | undefined;
}

/** Creates a cache that keeps at most `maxKeys` results and drops the oldest first. Failures are not cached. */
export function createCachedQuery<T>(maxKeys = 50): CachedQuery<T> {
  const results = new Map<string, Promise<T>>();
  const metrics = { hits: 0, misses: 0 };
  let madeAt: Date | undefined;
  return {
    metrics,
    get madeAt() {
      return madeAt;
    },
    get(key, make) {
      const cached = results.get(key);
      if (cached) {
        metrics.hits++;
        return cached;
      }
      metrics.misses++;
      const result = make();
      madeAt = new Date();
      results.set(key, result);
      result.catch(() => results.delete(key));
      if (results.size > maxKeys) results.delete(results.keys().next().value!);
      return result;
    },
    reset() {
      results.clear();
      metrics.hits = 0;
      metrics.misses = 0;
    },
  };
}
