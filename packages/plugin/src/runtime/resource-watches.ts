import type { ResourceEntry } from './catalog.js';
import { describeError } from './describe.js';
import type { PluginLogEntry, WatchedResource } from './plugin-instance.js';
import { createPluginLogger } from './plugin-logger.js';

/** Runs `watch` of resources while clients are subscribed to them. */
export class ResourceWatches {
  readonly #watches = new Map<string, { readonly resource: WatchedResource; readonly controller: AbortController }>();

  constructor(
    private readonly entries: ReadonlyMap<string, ResourceEntry>,
    private readonly log: (entry: PluginLogEntry) => void,
  ) {}

  get resources(): WatchedResource[] {
    return Array.from(this.#watches.values(), ({ resource }) => resource);
  }

  /** Does nothing if the resource is already watched. Errors of `watch` are logged. */
  start(resource: WatchedResource): void {
    const { key, uri, variables } = resource;
    if (this.#watches.has(uri)) return;
    const controller = new AbortController();
    this.#watches.set(uri, { resource, controller });
    const watch = this.entries.get(key)?.watch;
    if (watch) void this.#run(uri, () => watch(uri, { ...variables }, this.#context(controller)), controller.signal);
  }

  stop(uri: string): void {
    const controller = this.#watches.get(uri)?.controller;
    this.#watches.delete(uri);
    controller?.abort();
  }

  stopAll(): void {
    for (const uri of [...this.#watches.keys()]) this.stop(uri);
  }

  #context({ signal }: AbortController) {
    return { signal, logger: createPluginLogger(this.log) };
  }

  async #run(uri: string, watch: () => void | Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await watch();
    } catch (error) {
      // After the last subscriber has left, operations that use the signal reject. That is not an error.
      if (!signal.aborted) this.log({ level: 'error', message: `watch of ${uri} threw: ${describeError(error)}` });
    }
  }
}
