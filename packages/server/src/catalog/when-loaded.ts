import type { Principal } from '../core/principal.js';
import type { Caller } from '../core/server-api.js';
import type { Snapshot } from '../core/snapshot.js';
import type { Catalog } from './catalog-interface.js';

/** Does work once what it needs has loaded, or everything has. */
export type WhenLoaded = <T>(
  caller: Caller,
  isThere: (snapshot: Snapshot) => boolean,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * At once if the plugins have loaded: a call that waits for what is there already takes longer. Before that as soon as
 * lists are answered, if what is called is in them.
 * @param viewOf what a principal sees of what has loaded so far
 * @param onWait called before anything waits
 */
export function whenLoaded(
  catalog: Pick<Catalog, 'ready' | 'listed'>,
  viewOf: (principal: Principal | undefined) => Snapshot,
  onWait: () => unknown,
): WhenLoaded {
  let isReady = false;
  void catalog.ready().then(() => {
    isReady = true;
  });
  return ({ principal }, isThere, work) => {
    if (isReady) return work();
    onWait();
    const there = catalog.listed().then(() => (isThere(viewOf(principal)) ? undefined : catalog.ready()));
    return there.then(work);
  };
}
