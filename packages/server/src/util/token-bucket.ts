/**
 * Limits a rate and allows bursts: a full bucket has `size` tokens, and `perSecond` of them come back in a second. The
 * bucket is full at first.
 */
export class TokenBucket {
  readonly #size: number;
  readonly #perMs: number;
  #tokens: number;
  #countedAt = performance.now();

  constructor(size: number, perSecond = size) {
    this.#size = size;
    this.#perMs = perSecond / 1000;
    this.#tokens = size;
  }

  /** Takes the tokens if there are enough. */
  tryTake(count = 1): boolean {
    if (this.waitMs(count) > 0) return false;
    this.#tokens -= count;
    return true;
  }

  /** Takes the tokens in any case: a bucket that had fewer owes the rest, and has none until they have come back. */
  take(count: number): void {
    this.#tokens -= count;
  }

  /** How long it takes until the bucket has so many tokens, in milliseconds; 0 if it has. */
  waitMs(count = 1): number {
    const now = performance.now();
    this.#tokens = Math.min(this.#size, this.#tokens + (now - this.#countedAt) * this.#perMs);
    this.#countedAt = now;
    return Math.max(0, (count - this.#tokens) / this.#perMs);
  }
}
