import { RPC_CODES } from '@mortise/mcp';
import { LOCAL, type Principal } from '../../core/principal.js';
import type { Caller, RefusedAnswer } from '../../core/server-api.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { Catalog } from './catalog.js';

/** Does work once what it needs has loaded, or everything has. */
export type WhenLoaded = <T>(
  caller: Caller,
  isThere: (snapshot: Snapshot) => boolean,
  work: () => Promise<T>,
) => Promise<T | RefusedAnswer>;

export interface WhenLoadedOptions {
  readonly catalog: Pick<Catalog, 'ready' | 'callable'>;
  /** What a principal sees of what has loaded so far. */
  viewOf(principal: Principal | undefined): Snapshot;
}

/** How many calls of one principal may wait (docs/spec/plugin-processes.md#concurrency). */
export const MAX_WAITING = 1000;
const TOO_MANY: RefusedAnswer = {
  kind: 'error',
  code: RPC_CODES.internalError,
  message: `${MAX_WAITING} calls of this caller wait for plugins that are loading, the most that are allowed`,
  data: { code: 'TOOL_BUSY', hint: 'Try again in a second.', retryAfterMs: 1000 },
};

/**
 * Runs synchronously once the plugins have loaded; awaiting would cost a tick. Before that as soon as calls can run, if what
 * is called has loaded.
 */
export function whenLoaded({ catalog, viewOf }: WhenLoadedOptions): WhenLoaded {
  let isReady = false;
  void catalog.ready().then(() => {
    isReady = true;
  });
  /** By the name of the principal. */
  const waiting = new Map<string, number>();
  return ({ principal }, isThere, work) => {
    if (isReady) return work();
    const { name } = principal ?? LOCAL;
    const count = waiting.get(name) ?? 0;
    if (count >= MAX_WAITING) return Promise.resolve(TOO_MANY);
    waiting.set(name, count + 1);
    const there = catalog.callable().then(() => (isThere(viewOf(principal)) ? undefined : catalog.ready()));
    return there.then(() => {
      waiting.set(name, waiting.get(name)! - 1);
      return work();
    });
  };
}
