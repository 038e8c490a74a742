import type { Snapshot } from '../../core/snapshot.js';

/** Wraps `make` so that it runs once for each snapshot, or view of a snapshot. */
export function perSnapshot<T>(make: (snapshot: Snapshot) => T): (snapshot: Snapshot) => T {
  const cache = new WeakMap<Snapshot, T>();
  return (snapshot) => {
    const value = cache.get(snapshot) ?? make(snapshot);
    cache.set(snapshot, value);
    return value;
  };
}
