import type { WatchedResource } from '@mortise/plugin/runtime';

/** How many resources of one plugin are watched for clients: those that were asked for last. */
const MAX_WATCHED = 1000;

/** Before what cannot be started or reached is asked again to report changes, in milliseconds; doubled after each failure. */
const WATCH_AGAIN_MS = 5000;
const LONGEST_WATCH_AGAIN_MS = 300_000;

/** The resources of a plugin or mounted server that clients are subscribed to, whatever becomes of its process or connection. */
export class WatchedResources {
  readonly #byUri = new Map<string, WatchedResource>();
  #timer: NodeJS.Timeout | undefined;

  /** @param watch asks for reports of changes; starts or reaches what reports them first, and rejects if that fails */
  constructor(private readonly watch: (resources: readonly WatchedResource[]) => Promise<unknown>) {}

  get resources(): readonly WatchedResource[] {
    return [...this.#byUri.values()];
  }

  add(resource: WatchedResource): void {
    const { uri } = resource;
    this.#byUri.delete(uri);
    this.#byUri.set(uri, resource);
    if (this.#byUri.size > MAX_WATCHED) this.#byUri.delete(this.#byUri.keys().next().value!);
    this.watchAgain();
  }

  delete(uri: string): void {
    this.#byUri.delete(uri);
  }

  /** Asks for all of them, and again later if that fails: the clients that wait for changes call nothing. */
  watchAgain(againMs = WATCH_AGAIN_MS): void {
    clearTimeout(this.#timer);
    if (this.#byUri.size === 0) return;
    this.watch(this.resources).catch(() => {
      clearTimeout(this.#timer);
      const next = Math.min(LONGEST_WATCH_AGAIN_MS, againMs * 2);
      this.#timer = setTimeout(() => this.watchAgain(next), againMs).unref();
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#byUri.clear();
  }
}
