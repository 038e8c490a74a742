import { TokenBucket } from './token-bucket.js';

interface LineLimitOptions {
  /** The total cost of the lines of one interval, in the unit of `tryTake`. */
  readonly perInterval: number;
  readonly intervalMs: number;
  /** Called at the end of an interval in which lines were dropped, with their number. */
  onDropped(lines: number): void;
}

/** Limits the rate of log lines, and counts the lines that are dropped. */
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

  /**
   * Returns true if a line can be written now; otherwise the line counts as dropped. One line may cost more than is left
   * of the interval; then the next lines are dropped.
   */
  tryTake(cost = 1): boolean {
    if (this.#bucket.waitMs() > 0) {
      this.drop();
      return false;
    }
    this.#bucket.take(cost);
    return true;
  }

  /** Counts a line that is dropped for another reason. */
  drop(): void {
    this.#dropped += 1;
    this.#timer ??= setTimeout(() => this.end(), this.#options.intervalMs).unref();
  }

  /** Reports the dropped lines now, instead of at the end of the interval. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#dropped;
    this.#dropped = 0;
    if (lines > 0) this.#options.onDropped(lines);
  }
}
