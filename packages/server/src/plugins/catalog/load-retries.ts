import type { LoadedRunner } from '../../core/plugin-runner.js';
import { withTimeout } from '../../util/with-timeout.js';
import type { CatalogEntry } from './catalog-entry.js';

/** The pause before the first retry, in milliseconds; it doubles each time. */
const FIRST_PAUSE_MS = 2_000;
/** The longest pause, in milliseconds: to load what takes too long costs much, and to ask for a server little. */
const LONGEST_PAUSE_MS = { tooSlow: 600_000, unreachable: 60_000 };

/** Loads again what may load without a change, after a growing pause and when it is called (docs/spec/plugins.md#load-retries). */
export class LoadRetries {
  readonly #load: (entry: CatalogEntry) => Promise<void>;
  readonly #counts = new WeakMap<CatalogEntry, number>();
  readonly #timers = new Map<CatalogEntry, NodeJS.Timeout>();

  constructor(load: (entry: CatalogEntry) => Promise<void>) {
    this.#load = load;
  }

  /** Its latest load has failed. */
  failed(entry: CatalogEntry, { isRetried, afterTimeout }: Extract<LoadedRunner, { problem: unknown }>): void {
    const isTemporary = isRetried || entry.load?.wasTooSlow;
    if (!isTemporary || afterTimeout) return;
    const count = this.#counts.get(entry) ?? 0;
    this.#counts.set(entry, count + 1);
    const pauseMs = Math.min(LONGEST_PAUSE_MS[isRetried ? 'unreachable' : 'tooSlow'], FIRST_PAUSE_MS * 2 ** count);
    this.cancel(entry);
    this.#timers.set(entry, setTimeout(() => void this.#load(entry), pauseMs).unref());
  }

  /** The next pause is the first one. */
  loaded(entry: CatalogEntry): void {
    this.#counts.delete(entry);
  }

  /**
   * Something of it is called: loads it now if it is to be loaded again, and waits for a load that runs.
   * @param patienceMs how long it waits for a load that took longer than its time already
   */
  async now(entry: CatalogEntry, patienceMs: number): Promise<void> {
    if (this.#timers.has(entry)) return this.#load(entry);
    await entry.load?.firstResult;
    if (entry.load?.continuing) await withTimeout(entry.load.continuing, patienceMs);
  }

  /** It is being loaded, or is not needed any more. */
  cancel(entry: CatalogEntry): void {
    clearTimeout(this.#timers.get(entry));
    this.#timers.delete(entry);
  }

  close(): void {
    for (const entry of this.#timers.keys()) this.cancel(entry);
  }
}
