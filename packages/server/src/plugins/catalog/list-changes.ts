import { TokenBucket } from '../../util/token-bucket.js';

/** Changes of one plugin that are applied immediately. */
const BURST = 5;
/** Changes per second of a plugin that keeps changing its lists. */
const PER_SECOND = 10;
/**
 * The time for the changes of all plugins together: a tenth of it, so that calls are served in the rest. The burst lets
 * cheap changes through without a wait.
 */
const TIME = { burstMs: 50, msPerSecond: 100 };

interface Changes {
  readonly bucket: TokenBucket;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Decides when changed lists are applied: immediately, or at most ten times a second if a plugin keeps changing them,
 * and less often if changes take long.
 */
export class ListChanges<Entry extends object> {
  readonly #applyUpdate: (entry: Entry) => void;
  readonly #changes = new WeakMap<Entry, Changes>();
  /** A token is a millisecond. */
  readonly #time = new TokenBucket(TIME.burstMs, TIME.msPerSecond);

  /** @param applyUpdate applies the entry's current lists */
  constructor(applyUpdate: (entry: Entry) => void) {
    this.#applyUpdate = applyUpdate;
  }

  /** Applies the entry's lists now, or later with the lists that it has by then. */
  changed(entry: Entry): void {
    const changes = this.#of(entry);
    if (changes.timer) return;
    const apply = () => {
      changes.timer = undefined;
      this.#apply(entry, changes);
    };
    const waitMs = Math.max(changes.bucket.waitMs(), this.#time.waitMs());
    if (waitMs === 0) apply();
    else changes.timer = setTimeout(apply, waitMs).unref();
  }

  /** True if the entry's last change has not been applied yet. */
  isWaiting(entry: Entry): boolean {
    return this.#changes.get(entry)?.timer !== undefined;
  }

  #of(entry: Entry): Changes {
    const existing = this.#changes.get(entry);
    if (existing) return existing;
    const created: Changes = { bucket: new TokenBucket(BURST, PER_SECOND), timer: undefined };
    this.#changes.set(entry, created);
    return created;
  }

  #apply(entry: Entry, { bucket }: Changes): void {
    const startedAt = performance.now();
    this.#applyUpdate(entry);
    bucket.take(1);
    this.#time.take(performance.now() - startedAt);
  }
}
