/** How many resources of one server are watched for clients: those that were asked for last. */
const MAX_WATCHED = 1000;

/** Before a server that cannot be started or reached is asked again to report changes, in milliseconds; doubled after each failure. */
const WATCH_AGAIN_MS = 5000;
const LONGEST_WATCH_AGAIN_MS = 300_000;

/** The resources of a server that clients want to hear of, whatever becomes of the connection. */
export class WatchedResources {
  readonly #uris = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** @param watch asks the server to report changes; starts or reaches it first, and rejects if that fails */
  constructor(private readonly watch: (uris: string[]) => Promise<unknown>) {}

  get uris(): Iterable<string> {
    return this.#uris;
  }

  add(uri: string): void {
    // The newest is last, because clients do not report when they are no longer interested.
    this.#uris.delete(uri);
    this.#uris.add(uri);
    if (this.#uris.size > MAX_WATCHED) this.#uris.delete(this.#uris.values().next().value!);
    this.watchAgain();
  }

  /** Asks for all of them, and again later if that fails: the clients that wait for changes call nothing. */
  watchAgain(againMs = WATCH_AGAIN_MS): void {
    clearTimeout(this.#timer);
    if (this.#uris.size === 0) return;
    this.watch([...this.#uris]).catch(() => {
      clearTimeout(this.#timer);
      const next = Math.min(LONGEST_WATCH_AGAIN_MS, againMs * 2);
      this.#timer = setTimeout(() => this.watchAgain(next), againMs).unref();
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#uris.clear();
  }
}
