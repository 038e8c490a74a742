import { TokenBucket } from './token-bucket.js';

interface LineLimitOptions {
  /** What may be written in one interval, in the unit of `tryTake`. */
  readonly perInterval: number;
  readonly intervalMs: number;
  /** Told at the end of an interval how many lines were dropped in it, if any were. */
  onDropped(lines: number): void;
}

/** Bounds what is written to a log, and counts the lines that are dropped. */
export class LineLimit {
  readonly #options: LineLimitOptions;
  readonly #bucket: TokenBucket;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LineLimitOptions) {
    const { perInterval, intervalMs } = options;
    this.#options = options;
    this.#bucket = new TokenBucket(perInterval, (perInterval / intervalMs) * 1000);
  }

  /** Whether a line can be written now. One that costs more than is left is written too, and the next ones wait longer. */
  tryTake(cost = 1): boolean {
    if (this.#bucket.waitMs() > 0) {
      this.drop();
      return false;
    }
    this.#bucket.take(cost);
    return true;
  }

  /** Counts a line that is not written for another reason. */
  drop(): void {
    this.#dropped += 1;
    this.#timer ??= setTimeout(() => this.end(), this.#options.intervalMs).unref();
  }

  /** Reports the lines that were dropped last. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#dropped;
    this.#dropped = 0;
    if (lines > 0) this.#options.onDropped(lines);
  }
}
