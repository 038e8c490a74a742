import { type ChangedList, changedLists } from '../../core/changed-lists.js';
import type { Snapshot } from '../../core/snapshot.js';
import { Throttle } from '../../util/throttle.js';
import { TokenBucket } from '../../util/token-bucket.js';

/** @param before the snapshot in which the lists were others; absent where templates list other resources */
export type ChangeListener = (changed: readonly ChangedList[], before?: Snapshot) => void;

/** How long changes are collected before they are announced while plugins are still loading, in milliseconds. */
const JOIN_INTERVAL_MS = 250;
/** Announcements that templates list other resources. */
const OTHER_RESOURCES_A_SECOND = 4;

export interface PublisherOptions {
  /** @param previous what was announced before: its names stay */
  build(previous: Snapshot | undefined): Snapshot;
  /** A snapshot is now what clients know. */
  onAnnounced(snapshot: Snapshot): void;
}

/**
 * The current snapshot, built when it is first requested, and its announcement: before the first one clients are not notified of
 * changes; after it the changes of one tick are announced together.
 */
export class SnapshotPublisher {
  readonly #options: PublisherOptions;
  readonly #listeners = new Set<ChangeListener>();
  readonly #otherResources = new Throttle(
    (lists: readonly ChangedList[]) => this.#notify(lists),
    new TokenBucket(1, OTHER_RESOURCES_A_SECOND),
  );
  #current: Snapshot | undefined;
  #last: Snapshot | undefined;
  #announced: Snapshot | undefined;
  #isFlushing = false;
  /** Announces what has joined since the lists were first answered. */
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

  /** What a snapshot is built of has changed. */
  changed(): void {
    this.#current = undefined;
    if (!this.#announced || this.#isFlushing || this.#isClosed) return;
    this.#isFlushing = true;
    if (this.#isComplete) queueMicrotask(this.#flush);
    else this.#joinTimer = setTimeout(this.#flush, JOIN_INTERVAL_MS).unref();
  }

  readonly #flush = () => {
    this.#joinTimer = undefined;
    if (this.#isClosed) return;
    this.#announce(this.#announced!);
  };

  /** Templates list other resources than before, in the same snapshot. Announced at most four times a second. */
  listsOtherResources(): void {
    if (this.#announced && !this.#isClosed) this.#otherResources.push(['resources']);
  }

  /** Lists are answered from now on. */
  announceFirst(): void {
    this.#announced = this.snapshot();
    this.#options.onAnnounced(this.#announced);
  }

  /** All plugins have loaded, failed, or had their time. */
  complete(): void {
    this.#isComplete = true;
    if (this.#joinTimer === undefined) return;
    clearTimeout(this.#joinTimer);
    this.#flush();
  }

  /** @returns how to stop listening */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#joinTimer);
  }

  #announce(before: Snapshot): void {
    this.#isFlushing = false;
    this.#announced = this.snapshot();
    this.#options.onAnnounced(this.#announced);
    const lists = changedLists(before, this.#announced);
    if (lists.length > 0) this.#notify(lists, before);
  }

  #notify(lists: readonly ChangedList[], before?: Snapshot): void {
    if (!this.#isClosed) for (const listener of this.#listeners) listener(lists, before);
  }
}
