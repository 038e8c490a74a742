/** Runs one reload at a time. All requests that arrive during a reload share the next one. */
export class ReloadQueue<Report> {
  #running: Promise<unknown> = Promise.resolve();
  #waiting: Promise<Report> | undefined;

  constructor(private readonly reload: () => Promise<Report>) {}

  /** Resolves to the report of the first reload that starts after this call. */
  request(): Promise<Report> {
    this.#waiting ??= this.#enqueue();
    return this.#waiting;
  }

  #enqueue(): Promise<Report> {
    const next = this.#running.then(() => {
      this.#waiting = undefined;
      return this.reload();
    });
    this.#running = next.catch(() => {});
    return next;
  }
}
