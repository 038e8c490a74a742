import { RPC_CODES } from '@mortise/mcp';
import { LOCAL, type Principal } from '../../core/principal.js';
import type { Caller, RefusedAnswer } from '../../core/server-api.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { Catalog } from './catalog.js';

/**
 * Runs `work` when the plugin that it needs has loaded, or when all plugins have. Returns an error instead if too many
 * calls of the caller wait already.
 * @param isThere true if the snapshot has the tool, resource or prompt that is called
 */
export type WhenLoaded = <T>(
  caller: Caller,
  isThere: (snapshot: Snapshot) => boolean,
  work: () => Promise<T>,
) => Promise<T | RefusedAnswer>;

export interface WhenLoadedOptions {
  readonly catalog: Pick<Catalog, 'ready' | 'callable'>;
  /** Returns the part of the current snapshot that the principal can see. */
  viewOf(principal: Principal | undefined): Snapshot;
}

/** Maximum number of waiting calls of one principal (docs/spec/plugin-processes.md#concurrency). */
export const MAX_WAITING = 1000;
const TOO_MANY: RefusedAnswer = {
  kind: 'error',
  code: RPC_CODES.internalError,
  message: `${MAX_WAITING} calls of this caller wait for plugins that are loading, the most that are allowed`,
  data: { code: 'TOOL_BUSY', hint: 'Try again in a second.', retryAfterMs: 1000 },
};

/**
 * Creates a {@link WhenLoaded}. Once all plugins have loaded it runs work synchronously, because awaiting would cost a
 * tick.
 */
export function whenLoaded({ catalog, viewOf }: WhenLoadedOptions): WhenLoaded {
  let isReady = false;
  void catalog.ready().then(() => {
    isReady = true;
  });
  /** The number of waiting calls, by the name of the principal. */
  const waitingCounts = new Map<string, number>();
  return ({ principal }, isThere, work) => {
    if (isReady) return work();
    const { name } = principal ?? LOCAL;
    const count = waitingCounts.get(name) ?? 0;
    if (count >= MAX_WAITING) return Promise.resolve(TOO_MANY);
    waitingCounts.set(name, count + 1);
    const loaded = catalog.callable().then(() => (isThere(viewOf(principal)) ? undefined : catalog.ready()));
    return loaded.then(() => {
      waitingCounts.set(name, waitingCounts.get(name)! - 1);
      return work();
    });
  };
}
