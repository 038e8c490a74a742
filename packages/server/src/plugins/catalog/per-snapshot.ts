import type { Snapshot } from '../../core/snapshot.js';

/** What is made of a snapshot or a view of it, made once for each. */
export function perSnapshot<T>(make: (snapshot: Snapshot) => T): (snapshot: Snapshot) => T {
  const made = new WeakMap<Snapshot, T>();
  return (snapshot) => {
    const value = made.get(snapshot) ?? make(snapshot);
    made.set(snapshot, value);
    return value;
  };
}
