/**
 * Limits a rate and allows bursts: a full bucket has `size` tokens, and `perSecond` tokens come back in a second. The
 * bucket begins full.
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

  /** Takes the tokens even if there are fewer. The bucket then owes the rest, and has none until they have come back. */
  take(count: number): void {
    this.#tokens -= count;
  }

  /** The time until the bucket has this many tokens; 0 if it has them now. */
  waitMs(count = 1): number {
    const now = performance.now();
    this.#tokens = Math.min(this.#size, this.#tokens + (now - this.#countedAt) * this.#perMs);
    this.#countedAt = now;
    return Math.max(0, (count - this.#tokens) / this.#perMs);
  }
}
