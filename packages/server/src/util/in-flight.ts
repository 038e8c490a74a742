/** Counts the work that is in progress, so that a shutdown can wait for its end. */
export class InFlight {
  #running = 0;
  #waiting: (() => void)[] = [];

  /** Counts the work until it settles. @returns the same promise */
  count<T>(work: Promise<T>): Promise<T> {
    this.#running += 1;
    work.then(this.#end, this.#end);
    return work;
  }

  /** Resolves when nothing is in progress. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  readonly #end = () => {
    this.#running -= 1;
    if (this.#running === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  };
}
