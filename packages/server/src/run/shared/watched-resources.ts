import type { WatchedResource } from '@mortise/plugin/runtime';

/** The maximum number of watched resources of one plugin. Beyond it the oldest is dropped. */
const MAX_WATCHED = 1000;

/** The first pause before watching is tried again. It doubles after each failure. */
const WATCH_AGAIN_MS = 5000;
const LONGEST_WATCH_AGAIN_MS = 300_000;

/** The resources of one plugin or mounted server that clients subscribe to. They outlive its process or connection. */
export class WatchedResources {
  readonly #byUri = new Map<string, WatchedResource>();
  #timer: NodeJS.Timeout | undefined;

  /** @param watch starts or reaches the plugin if necessary, and asks it to report changes; rejects if that fails */
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

  /** Asks the plugin to report changes of all resources. Tries again if that fails, because no later call would ask. */
  watchAgain(pauseMs = WATCH_AGAIN_MS): void {
    clearTimeout(this.#timer);
    if (this.#byUri.size === 0) return;
    this.watch(this.resources).catch(() => {
      clearTimeout(this.#timer);
      const nextPauseMs = Math.min(LONGEST_WATCH_AGAIN_MS, pauseMs * 2);
      this.#timer = setTimeout(() => this.watchAgain(nextPauseMs), pauseMs).unref();
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#byUri.clear();
  }
}
