import type { CancelSignal } from '@mortise/mcp/util';

export interface QueueLimits {
  /** Calls that run at the same time. */
  readonly maxRunning: number;
  /** Calls that wait; default: any number. */
  readonly maxWaiting?: number;
  /** How long a call waits at most, in milliseconds; default: as long as it lives. */
  readonly maxWaitMs?: number | undefined;
}

interface WaitingCall {
  grant(): void;
}

/** A limited number of calls run, and a limited number wait, in order. */
export class SlotQueue {
  readonly limits: QueueLimits;
  running = 0;
  /** In order. */
  readonly #waiting: WaitingCall[] = [];
  /** How long a call took recently, in milliseconds. */
  #typicalMs = 0;

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** When a slot may be free for a call that does not wait here, in milliseconds. */
  get retryAfterMs(): number {
    return Math.max(100, Math.ceil((this.#typicalMs * (this.waiting + 1)) / this.limits.maxRunning));
  }

  /** @returns a slot; undefined if too many wait; or a promise of a slot, which is undefined if the signal fires first, or the wait was too long */
  enter(signal?: CancelSignal): Slot | undefined | Promise<Slot | undefined> {
    if (this.running < this.limits.maxRunning) return new Slot(this);
    if (this.waiting >= (this.limits.maxWaiting ?? Number.POSITIVE_INFINITY)) return undefined;
    return this.waitForTurn(signal, () => new Slot(this), this.limits.maxWaitMs);
  }

  /** Runs the work when there is a slot for it, which the work can release before it ends. */
  async run<T>(work: (slot: Slot) => Promise<T>): Promise<T> {
    const slot = (await this.enter())!;
    try {
      return await work(slot);
    } finally {
      slot.release();
    }
  }

  /** A slot was given up. @param ms for which it was held */
  free(ms: number): void {
    this.running -= 1;
    this.#typicalMs += (ms - this.#typicalMs) / 4;
    this.#waiting.shift()?.grant();
  }

  /** @returns what `take` does with the turn; undefined if the signal fires first, or the wait was too long */
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

/** The turn of one call. It is given up while the call's questions are open. */
export class Slot {
  #startedAt = performance.now();
  #isHeld = true;
  #isReleased = false;
  #openQuestions = 0;

  constructor(private readonly queue: SlotQueue) {
    queue.running += 1;
  }

  /** The turn is over; a second time this does nothing. */
  release(): void {
    this.#isReleased = true;
    this.#giveUp();
  }

  /** A question is open from here on. */
  pause(): void {
    this.#openQuestions += 1;
    this.#giveUp();
  }

  /** A question is answered: after the last one the call waits again, behind those that wait already. */
  async resume(signal: CancelSignal): Promise<void> {
    this.#openQuestions -= 1;
    if (!this.#isWanted) return;
    if (this.queue.running < this.queue.limits.maxRunning) this.#take();
    else await this.queue.waitForTurn(signal, () => this.#take());
  }

  /** Not while another question is open, and not once the call has ended. */
  get #isWanted(): boolean {
    return this.#openQuestions === 0 && !this.#isReleased && !this.#isHeld;
  }

  #take(): void {
    this.queue.running += 1;
    this.#startedAt = performance.now();
    this.#isHeld = true;
    // While it waited, the call may have ended, or asked again.
    if (this.#isReleased || this.#openQuestions > 0) this.#giveUp();
  }

  #giveUp(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.queue.free(performance.now() - this.#startedAt);
  }
}
