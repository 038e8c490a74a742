import { type Linked, LinkedList } from './linked-list.js';

/** What waits for a time. */
export interface Timed<T> extends Linked<T> {
  /** When its time began to run, in milliseconds of `performance.now()`. Set by the list. */
  startedAt: number;
}

/**
 * What waits for the same time, with one timer for all: setting and clearing a timer for each of thousands of calls a second
 * takes longer than everything else that a short call does with it.
 */
export class TimeoutList<T extends Timed<T>> extends LinkedList<T> {
  readonly #ms: number;
  readonly #onTime: (item: T) => void;
  readonly #onEmpty: () => void;
  /** For the first one. It runs on when that is removed, for the next one that is added. */
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param ms how long each item waits; Infinity: forever
   * @param onTime gets what has waited that long, and is in the list no more
   * @param onEmpty called when the timer ends and nothing is left
   */
  constructor(ms: number, onTime: (item: T) => void, onEmpty: () => void = () => {}) {
    super();
    this.#ms = ms;
    this.#onTime = onTime;
    this.#onEmpty = onEmpty;
  }

  /** The item waits from now on. */
  override add(item: T): void {
    item.startedAt = performance.now();
    super.add(item);
    if (this.#timer === undefined) this.#wait(this.#ms);
    else if (this.size === 1) this.#timer.ref();
  }

  override remove(item: T): boolean {
    const isRemoved = super.remove(item);
    // A timer that nothing waits for must not keep the process.
    if (isRemoved && this.size === 0) this.#timer?.unref();
    return isRemoved;
  }

  #wait(ms: number): void {
    if (ms !== Number.POSITIVE_INFINITY) this.#timer = setTimeout(this.#end, ms);
  }

  readonly #end = () => {
    this.#timer = undefined;
    const now = performance.now();
    for (let { first } = this; first !== undefined; first = this.first) {
      const leftMs = first.startedAt + this.#ms - now;
      if (leftMs > 0) {
        // What was handled before may have added to the list, and so begun to wait.
        clearTimeout(this.#timer);
        this.#wait(Math.ceil(leftMs));
        return;
      }
      this.remove(first);
      this.#onTime(first);
    }
    if (this.size === 0) this.#onEmpty();
  };
}
