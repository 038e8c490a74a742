import { TokenBucket } from '../../util/token-bucket.js';

/** So many changes of one plugin are taken over as they come. */
const BURST = 5;
/** Of one that keeps changing its lists, so many. */
const PER_SECOND = 10;
/** A change that takes longer counts as several, in milliseconds: so they take at most a fifth of the server's time. */
const CHANGE_MS = 20;

interface Changes {
  readonly bucket: TokenBucket;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Decides when changed lists are taken over: immediately, but if a plugin keeps changing them only ten times a second, and
 * less often the longer that takes.
 */
export class ListChanges<Entry extends object> {
  readonly #applyUpdate: (entry: Entry) => void;
  readonly #changes = new WeakMap<Entry, Changes>();

  /** @param applyUpdate takes over what an entry has now */
  constructor(applyUpdate: (entry: Entry) => void) {
    this.#applyUpdate = applyUpdate;
  }

  /** The plugin has other lists now. They are taken over, or will be: then what it has at that time counts. */
  changed(entry: Entry): void {
    const changes = this.#of(entry);
    if (changes.timer) return;
    const apply = () => {
      changes.timer = undefined;
      this.#apply(entry, changes);
    };
    const waitMs = changes.bucket.waitMs();
    if (waitMs === 0) apply();
    else changes.timer = setTimeout(apply, waitMs).unref();
  }

  /** Whether its last change has not been taken over yet. */
  isWaiting(entry: Entry): boolean {
    return this.#changes.get(entry)?.timer !== undefined;
  }

  #of(entry: Entry): Changes {
    const existing = this.#changes.get(entry);
    if (existing) return existing;
    const first: Changes = { bucket: new TokenBucket(BURST, PER_SECOND), timer: undefined };
    this.#changes.set(entry, first);
    return first;
  }

  #apply(entry: Entry, { bucket }: Changes): void {
    const startedAt = performance.now();
    this.#applyUpdate(entry);
    bucket.take(Math.max(1, (performance.now() - startedAt) / CHANGE_MS));
  }
}
