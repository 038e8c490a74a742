import type { PluginLimits } from '../settings/plugin-limits.js';
import { TimeShare } from '../util/time-share.js';

/** So many changes of one plugin are taken over as they come; of one that continues, one in each interval. */
const BURST = 5;

interface Changes {
  /** How many may still be taken over as they come, and when that was counted. */
  left: number;
  countedAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Decides when changed lists are applied: immediately, but if a plugin keeps changing them only once per interval, and for all
 * such plugins together within their share of the server's time.
 */
export class ListChanges<Entry extends object> {
  readonly #limits: Pick<PluginLimits, 'ListIntervalMs'>;
  readonly #applyUpdate: (entry: Entry) => void;
  readonly #share: TimeShare;
  readonly #changes = new WeakMap<Entry, Changes>();

  constructor(limits: Pick<PluginLimits, 'ListIntervalMs' | 'TimeSharePercent'>, applyUpdate: (entry: Entry) => void) {
    this.#limits = limits;
    this.#applyUpdate = applyUpdate;
    this.#share = new TimeShare(limits.TimeSharePercent);
  }

  /** The plugin has other lists now. */
  changed(entry: Entry): void {
    const changes = this.#of(entry);
    if (changes.timer) return;
    const waitMs = this.#waitMs(changes);
    if (waitMs === 0) {
      this.#apply(entry, changes);
      return;
    }
    changes.timer = setTimeout(() => {
      changes.timer = undefined;
      this.#apply(entry, changes);
    }, waitMs).unref();
  }

  /** Whether its last change has not been taken over yet. */
  isWaiting(entry: Entry): boolean {
    return this.#changes.get(entry)?.timer !== undefined;
  }

  /** Adds further time that applying the lists took. */
  charge(ms: number): void {
    this.#share.charge(ms);
  }

  #of(entry: Entry): Changes {
    const existing = this.#changes.get(entry) ?? { left: BURST, countedAt: performance.now(), timer: undefined };
    this.#changes.set(entry, existing);
    return existing;
  }

  #waitMs(changes: Changes): number {
    const now = performance.now();
    const { ListIntervalMs } = this.#limits;
    changes.left = Math.min(BURST, changes.left + (now - changes.countedAt) / ListIntervalMs);
    changes.countedAt = now;
    if (changes.left >= 1) return 0;
    return Math.max((1 - changes.left) * ListIntervalMs, this.#share.waitMs);
  }

  #apply(entry: Entry, changes: Changes): void {
    changes.left -= 1;
    const startedAt = performance.now();
    this.#applyUpdate(entry);
    this.charge(performance.now() - startedAt);
  }
}
