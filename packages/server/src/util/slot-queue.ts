import type { CancelSignal } from '@mortise/mcp/util';

export interface QueueLimits {
  /** The maximum number of calls that run at the same time. */
  readonly maxRunning: number;
  /** The maximum number of calls that wait. Default: no limit. */
  readonly maxWaiting?: number;
  /** The longest time that a call waits. Default: until it is cancelled. */
  readonly maxWaitMs?: number | undefined;
}

interface WaitingCall {
  grant(): void;
}

/** Lets a limited number of calls run, and a limited number wait for their turn in order. */
export class SlotQueue {
  readonly limits: QueueLimits;
  running = 0;
  readonly #waiting: WaitingCall[] = [];
  /** A moving average of the time for which calls held their slots. */
  #typicalMs = 0;

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The estimated time until a slot is free for a call that is refused now. */
  get retryAfterMs(): number {
    return Math.max(100, Math.ceil((this.#typicalMs * (this.waiting + 1)) / this.limits.maxRunning));
  }

  /**
   * Asks for a slot.
   * @returns a slot, or a promise of one; undefined if too many calls wait, the signal fires first, or the wait is too long
   */
  enter(signal?: CancelSignal): Slot | undefined | Promise<Slot | undefined> {
    if (this.running < this.limits.maxRunning) return new Slot(this);
    if (this.waiting >= (this.limits.maxWaiting ?? Number.POSITIVE_INFINITY)) return undefined;
    return this.waitForTurn(signal, () => new Slot(this), this.limits.maxWaitMs);
  }

  /** Runs the work when there is a slot for it. The work can release the slot before it ends. */
  async run<T>(work: (slot: Slot) => Promise<T>): Promise<T> {
    const slot = (await this.enter())!;
    try {
      return await work(slot);
    } finally {
      slot.release();
    }
  }

  /** Gives a slot back. @param ms the time for which it was held */
  free(ms: number): void {
    this.running -= 1;
    this.#typicalMs += (ms - this.#typicalMs) / 4;
    this.#waiting.shift()?.grant();
  }

  /** Waits in the queue. @returns the result of `take`; undefined if the signal fires first, or the wait is too long */
  waitForTurn<T>(signal: CancelSignal | undefined, take: () => T, maxWaitMs?: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const giveUp = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(undefined);
      };
      const waiting: WaitingCall = {
        grant() {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          resolve(take());
        },
      };
      this.#waiting.push(waiting);
      if (maxWaitMs !== undefined) timer = setTimeout(giveUp, maxWaitMs);
      signal?.addEventListener('abort', giveUp);
      if (signal?.aborted) giveUp();
    });
  }
}

/** The slot of one call, which the call gives up while its questions are open. */
export class Slot {
  #startedAt = performance.now();
  #isHeld = true;
  #isReleased = false;
  #openQuestions = 0;

  constructor(private readonly queue: SlotQueue) {
    queue.running += 1;
  }

  /** Gives the slot back for good. A second call has no effect. */
  release(): void {
    this.#isReleased = true;
    this.#giveUp();
  }

  /** Call this when a question is asked: the slot is given up. */
  pause(): void {
    this.#openQuestions += 1;
    this.#giveUp();
  }

  /** Call this when a question was answered. After the last one the call waits again, behind the others. */
  async resume(signal: CancelSignal): Promise<void> {
    this.#openQuestions -= 1;
    if (!this.#isWanted) return;
    if (this.queue.running < this.queue.limits.maxRunning) this.#take();
    else await this.queue.waitForTurn(signal, () => this.#take());
  }

  /** True if the call needs a slot again: no question is open, and the call has not ended. */
  get #isWanted(): boolean {
    return this.#openQuestions === 0 && !this.#isReleased && !this.#isHeld;
  }

  #take(): void {
    this.queue.running += 1;
    this.#startedAt = performance.now();
    this.#isHeld = true;
    // While the call waited for its turn, it may have ended or asked another question.
    if (this.#isReleased || this.#openQuestions > 0) this.#giveUp();
  }

  #giveUp(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.queue.free(performance.now() - this.#startedAt);
  }
}
