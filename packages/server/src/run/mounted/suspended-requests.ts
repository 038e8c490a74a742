import type { JsonObject } from '@mortise/plugin';
import type { ForwardedRequest } from './forwarded-request.js';

/** The time that a client has to answer before the request to the server is cancelled. */
const RETENTION_MS = 600_000;
/** Beyond this number the oldest request is cancelled. */
const MAX_SUSPENDED = 100;

/** The forwarded requests that wait between two rounds, until their client answers by calling again. */
export interface SuspendedRequests {
  readonly size: number;
  add(request: ForwardedRequest): void;
  /** Removes and returns the request that these answers belong to, if the call is the same. */
  take(answers: Readonly<Record<string, unknown>>, method: string, params: JsonObject): ForwardedRequest | undefined;
  /** Removes all requests and their timers, without cancelling them. */
  clear(): void;
}

export function createSuspendedRequests(retentionMs = RETENTION_MS): SuspendedRequests {
  const suspended = new Map<string, { request: ForwardedRequest; timer: NodeJS.Timeout }>();

  function remove(id: string): ForwardedRequest | undefined {
    const entry = suspended.get(id);
    suspended.delete(id);
    clearTimeout(entry?.timer);
    return entry?.request;
  }

  return {
    get size() {
      return suspended.size;
    },
    add(request) {
      const [oldest] = suspended.keys();
      if (suspended.size >= MAX_SUSPENDED && oldest !== undefined) remove(oldest)?.cancel();
      const timer = setTimeout(() => remove(request.id)?.cancel(), retentionMs).unref();
      suspended.set(request.id, { request, timer });
    },
    take(answers, method, params) {
      if (suspended.size === 0) return undefined;
      for (const key in answers) {
        const [id = ''] = key.split(':', 1);
        if (suspended.get(id)?.request.isFor(method, params)) return remove(id);
      }
      return undefined;
    },
    clear() {
      for (const id of [...suspended.keys()]) remove(id);
    },
  };
}
