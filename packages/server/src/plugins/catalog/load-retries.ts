import type { LoadedRunner } from '../../core/plugin-runner.js';
import { withTimeout } from '../../util/with-timeout.js';
import type { CatalogEntry } from './catalog-entry.js';

/** The pause before the first retry. It doubles each time. */
const FIRST_PAUSE_MS = 2_000;
/** Loading a slow plugin costs much, connecting to a server little. */
const LONGEST_PAUSE_MS = { tooSlow: 600_000, unreachable: 60_000 };

/**
 * Retries failed loads that may succeed without a change of the plugin: after a growing pause, and when the plugin is
 * called (docs/spec/plugins.md#load-retries).
 */
export class LoadRetries {
  readonly #load: (entry: CatalogEntry) => Promise<void>;
  readonly #counts = new WeakMap<CatalogEntry, number>();
  readonly #timers = new Map<CatalogEntry, NodeJS.Timeout>();

  constructor(load: (entry: CatalogEntry) => Promise<void>) {
    this.#load = load;
  }

  /** Plans a retry, if the failure is temporary and the load does not continue after its time limit. */
  onFailed(entry: CatalogEntry, { isRetried, afterTimeout }: Extract<LoadedRunner, { problem: unknown }>): void {
    const isTemporary = isRetried || entry.load?.wasTooSlow;
    if (!isTemporary || afterTimeout) return;
    const count = this.#counts.get(entry) ?? 0;
    this.#counts.set(entry, count + 1);
    const pauseMs = Math.min(LONGEST_PAUSE_MS[isRetried ? 'unreachable' : 'tooSlow'], FIRST_PAUSE_MS * 2 ** count);
    this.cancel(entry);
    this.#timers.set(entry, setTimeout(() => void this.#load(entry), pauseMs).unref());
  }

  /** Resets the pause after a successful load. */
  onLoaded(entry: CatalogEntry): void {
    this.#counts.delete(entry);
  }

  /**
   * Runs a planned retry now, or waits for the load that is running. Used when a call needs the plugin.
   * @param patienceMs maximum wait for a load that has already exceeded its time limit
   */
  async retryNow(entry: CatalogEntry, patienceMs: number): Promise<void> {
    if (this.#timers.has(entry)) return this.#load(entry);
    await entry.load?.firstResult;
    if (entry.load?.continuing) await withTimeout(entry.load.continuing, patienceMs);
  }

  cancel(entry: CatalogEntry): void {
    clearTimeout(this.#timers.get(entry));
    this.#timers.delete(entry);
  }

  close(): void {
    for (const entry of this.#timers.keys()) this.cancel(entry);
  }
}
