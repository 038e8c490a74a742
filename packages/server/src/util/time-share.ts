/** The time that can be used before anything waits, in milliseconds. */
const BURST_MS = 100;

/**
 * A share of the server's time, for the work that one plugin causes: what it has used is counted, and runs off at the
 * rate of its share.
 */
export class TimeShare {
  readonly #share: number;
  readonly #now: () => number;
  #usedMs = 0;
  #countedAt: number;

  /** @param percent of all time */
  constructor(percent: number, now: () => number = () => performance.now()) {
    this.#share = percent / 100;
    this.#now = now;
    this.#countedAt = now();
  }

  charge(ms: number): void {
    this.#runOff();
    this.#usedMs += ms;
  }

  /** How long until the next work can begin; 0 if it can begin immediately. */
  get waitMs(): number {
    this.#runOff();
    return Math.max(0, (this.#usedMs - BURST_MS) / this.#share);
  }

  #runOff(): void {
    const now = this.#now();
    this.#usedMs = Math.max(0, this.#usedMs - (now - this.#countedAt) * this.#share);
    this.#countedAt = now;
  }
}
