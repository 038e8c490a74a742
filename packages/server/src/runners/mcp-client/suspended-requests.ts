import type { JsonObject } from '@mortise/plugin';
import type { Exchange } from './forwarded-request.js';

/** How long a client may take to answer, in milliseconds; then the server is told that nobody waits any more. */
const KEEP_MS = 600_000;
/** The oldest gives way. */
const MAX_PARKED = 100;

/** Exchanges between two rounds: their client answers by calling again, if it does. */
export interface Parked {
  readonly size: number;
  add(exchange: Exchange): void;
  /** The one that these answers belong to, for the same request. */
  take(answers: Readonly<Record<string, unknown>>, method: string, params: JsonObject): Exchange | undefined;
  /** Nobody comes back any more. */
  clear(): void;
}

export function createParked(keepMs = KEEP_MS): Parked {
  const parked = new Map<string, { exchange: Exchange; timer: NodeJS.Timeout }>();

  function remove(id: string): Exchange | undefined {
    const entry = parked.get(id);
    parked.delete(id);
    clearTimeout(entry?.timer);
    return entry?.exchange;
  }

  return {
    get size() {
      return parked.size;
    },
    add(exchange) {
      const [oldest] = parked.keys();
      if (parked.size >= MAX_PARKED && oldest !== undefined) remove(oldest)?.cancel();
      const timer = setTimeout(() => remove(exchange.id)?.cancel(), keepMs).unref();
      parked.set(exchange.id, { exchange, timer });
    },
    take(answers, method, params) {
      if (parked.size === 0) return undefined;
      for (const key in answers) {
        const [id = ''] = key.split(':', 1);
        if (parked.get(id)?.exchange.isFor(method, params)) return remove(id);
      }
      return undefined;
    },
    clear() {
      for (const id of [...parked.keys()]) remove(id);
    },
  };
}
