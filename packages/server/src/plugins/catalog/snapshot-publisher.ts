import { type ChangedList, changedLists } from '../../core/changed-lists.js';
import type { Snapshot } from '../../core/snapshot.js';
import { Throttle } from '../../util/throttle.js';
import { TokenBucket } from '../../util/token-bucket.js';

/** @param before the snapshot before the change; undefined if only the resources that templates list have changed */
export type ChangeListener = (changed: readonly ChangedList[], before?: Snapshot) => void;

/** While plugins are still loading, changes are collected for this time and announced together. */
const JOIN_INTERVAL_MS = 250;
/** Limit for announcements that the resources of templates have changed. */
const OTHER_RESOURCES_A_SECOND = 4;

export interface PublisherOptions {
  /** @param previous the last snapshot, whose names take precedence; undefined until clients know one */
  build(previous: Snapshot | undefined): Snapshot;
  /** Called for each snapshot that clients may now see. */
  onAnnounced(snapshot: Snapshot): void;
}

/**
 * Builds the current snapshot when it is first requested, and announces changes. Before the first announcement nobody
 * is notified. Until all plugins have loaded, changes are collected for 250 ms; after that, those of one tick are
 * announced together.
 */
export class SnapshotPublisher {
  readonly #options: PublisherOptions;
  readonly #listeners = new Set<ChangeListener>();
  readonly #otherResources = new Throttle(
    (lists: readonly ChangedList[]) => this.#notify(lists),
    new TokenBucket(1, OTHER_RESOURCES_A_SECOND),
  );
  /** The snapshot of the current state; undefined until the snapshot is needed. */
  #current: Snapshot | undefined;
  /** The snapshot that was built last. */
  #last: Snapshot | undefined;
  #announced: Snapshot | undefined;
  #isFlushPlanned = false;
  /** Set while changes are collected. */
  #joinTimer: NodeJS.Timeout | undefined;
  #isComplete = false;
  #isClosed = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  get hasAnnounced(): boolean {
    return this.#announced !== undefined;
  }

  snapshot(): Snapshot {
    this.#current ??= this.#options.build(this.#announced && this.#last);
    this.#last = this.#current;
    return this.#current;
  }

  /** Call it when anything that `build` reads has changed. */
  changed(): void {
    this.#current = undefined;
    if (!this.#announced || this.#isFlushPlanned || this.#isClosed) return;
    this.#isFlushPlanned = true;
    if (this.#isComplete) queueMicrotask(this.#flush);
    else this.#joinTimer = setTimeout(this.#flush, JOIN_INTERVAL_MS).unref();
  }

  /** As {@link changed}. Announces before it returns, so that the caller can measure the cost of the change. */
  changedNow(): void {
    this.changed();
    if (this.#isComplete) this.#flush();
  }

  readonly #flush = () => {
    this.#joinTimer = undefined;
    if (this.#isClosed || !this.#isFlushPlanned) return;
    this.#announce(this.#announced!);
  };

  /**
   * Announces that templates list other resources than before, at most four times a second. The snapshot stays the
   * same.
   */
  listsOtherResources(): void {
    if (this.#announced && !this.#isClosed) this.#otherResources.push(['resources']);
  }

  /** Makes the current snapshot the first that clients see. Later changes are announced. */
  announceFirst(): void {
    this.#announced = this.snapshot();
    this.#options.onAnnounced(this.#announced);
  }

  /**
   * Call it when each plugin has loaded, failed or exceeded its time limit. Collected changes are announced
   * immediately.
   */
  complete(): void {
    this.#isComplete = true;
    if (this.#joinTimer === undefined) return;
    clearTimeout(this.#joinTimer);
    this.#flush();
  }

  /** @returns a function that removes the listener */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#joinTimer);
  }

  #announce(before: Snapshot): void {
    this.#isFlushPlanned = false;
    this.#announced = this.snapshot();
    this.#options.onAnnounced(this.#announced);
    const lists = changedLists(before, this.#announced);
    if (lists.length > 0) this.#notify(lists, before);
  }

  #notify(lists: readonly ChangedList[], before?: Snapshot): void {
    if (!this.#isClosed) for (const listener of this.#listeners) listener(lists, before);
  }
}
