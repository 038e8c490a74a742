import type { PluginLimits } from '../settings/plugin-limits.js';
import { TimeShare } from '../util/time-share.js';
import { TokenBucket } from '../util/token-bucket.js';

/** So many changes of one plugin are taken over as they come; of one that continues, one in each interval. */
const BURST = 5;

interface Changes {
  readonly bucket: TokenBucket;
  timer: NodeJS.Timeout | undefined;
  /** While a long change is taken over. */
  applying: Promise<void> | undefined;
  /** There was another change meanwhile. */
  isStale: boolean;
}

/** Takes over what an entry has now. A promise where that takes several turns of the event loop; it does not reject. */
type ApplyUpdate<Entry> = (entry: Entry, onTimeSpent: (ms: number) => void) => void | Promise<void>;

/**
 * Decides when changed lists are applied: immediately, but if a plugin keeps changing them only once per interval, and for all
 * such plugins together within their share of the server's time.
 */
export class ListChanges<Entry extends object> {
  readonly #limits: Pick<PluginLimits, 'ListIntervalMs'>;
  readonly #applyUpdate: ApplyUpdate<Entry>;
  readonly #share: TimeShare;
  readonly #changes = new WeakMap<Entry, Changes>();

  constructor(limits: Pick<PluginLimits, 'ListIntervalMs' | 'TimeSharePercent'>, applyUpdate: ApplyUpdate<Entry>) {
    this.#limits = limits;
    this.#applyUpdate = applyUpdate;
    this.#share = new TimeShare(limits.TimeSharePercent);
  }

  /** The plugin has other lists now. A promise while they are taken over; undefined if they are, or are to wait. */
  changed(entry: Entry): void | Promise<void> {
    const changes = this.#of(entry);
    if (changes.timer) return;
    if (changes.applying) {
      changes.isStale = true;
      return changes.applying;
    }
    const waitMs = this.#waitMs(changes);
    if (waitMs === 0) return this.#apply(entry, changes);
    changes.timer = setTimeout(() => {
      changes.timer = undefined;
      void this.#apply(entry, changes);
    }, waitMs).unref();
  }

  /** Whether its last change has not been taken over yet. */
  isWaiting(entry: Entry): boolean {
    const { timer, applying } = this.#changes.get(entry) ?? {};
    return timer !== undefined || applying !== undefined;
  }

  /** Adds further time that applying the lists took. */
  charge(ms: number): void {
    this.#share.charge(ms);
  }

  #of(entry: Entry): Changes {
    const existing = this.#changes.get(entry);
    if (existing) return existing;
    const bucket = new TokenBucket(BURST, 1000 / this.#limits.ListIntervalMs);
    const first = { bucket, timer: undefined, applying: undefined, isStale: false };
    this.#changes.set(entry, first);
    return first;
  }

  #waitMs({ bucket }: Changes): number {
    const waitMs = bucket.waitMs();
    return waitMs === 0 ? 0 : Math.max(waitMs, this.#share.waitMs);
  }

  #apply(entry: Entry, changes: Changes): void | Promise<void> {
    changes.bucket.take(1);
    const applying = this.#applyUpdate(entry, (ms) => this.charge(ms));
    if (!applying) return;
    changes.applying = applying.then(() => {
      changes.applying = undefined;
      if (!changes.isStale) return;
      changes.isStale = false;
      return this.changed(entry);
    });
    return changes.applying;
  }
}
