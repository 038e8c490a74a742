import type { Snapshot } from '../core/snapshot.js';
import type { Catalog } from './catalog.js';

/** Does work once what it needs has loaded, or everything has. */
export type WhenLoaded = <T>(
  view: () => Snapshot,
  isThere: (snapshot: Snapshot) => boolean,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * At once if the plugins have loaded: a call that waits for what is there already takes longer. Before that as soon as
 * lists are answered, if what is called is in them.
 * @param onWait called before anything waits
 */
export function whenLoaded(catalog: Pick<Catalog, 'ready' | 'listed'>, onWait: () => void): WhenLoaded {
  let isReady = false;
  void catalog.ready().then(() => {
    isReady = true;
  });
  return (view, isThere, work) => {
    if (isReady) return work();
    onWait();
    const there = catalog.listed().then(() => (isThere(view()) ? undefined : catalog.ready()));
    return there.then(work);
  };
}
