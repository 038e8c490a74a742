import type { McpLists } from '../core/server-api.js';
import type { Snapshot } from '../core/snapshot.js';
import type { Log } from '../logging/log.js';
import { createToolListCache, type ToolListCache } from '../plugin-loading/tool-list-cache.js';
import type { LoadedSettings } from '../settings/settings.js';
import { version } from '../util/version.js';
import type { Catalog } from './catalog-interface.js';

interface Options {
  /** Files that the list depends on, in addition to those of plugins. */
  readonly files: () => readonly string[];
  /** What is loaded now. */
  readonly lists: () => McpLists;
  /** What clients were given is not what there is. */
  readonly onDifferent: () => void;
}

export interface EarlyToolListOptions extends Options {
  readonly cacheDir: string;
  readonly loaded: LoadedSettings;
  readonly log: Log;
}

/** Plugins are loaded after the first list, unless they are needed before or no one asks for so long, in milliseconds. */
const FIRST_LIST_MS = 500;
/** By then the first list has been written. */
const AFTER_LIST_MS = 20;

/**
 * Undefined where the list has pages, and where nothing may be shown that was not reviewed (`Plugins.OnChange: refuse`).
 */
export function earlyToolList({ cacheDir, loaded, log, ...options }: EarlyToolListOptions): EarlyToolList | undefined {
  const { settings } = loaded;
  if (settings.Tools.PageSize > 0 || settings.Plugins.OnChange === 'refuse') return undefined;
  return new EarlyToolList(createToolListCache(cacheDir, cacheKey(loaded), log), options);
}

/** What everything that is cached for clients depends on, besides plugins. */
export function cacheKey({ settings, pluginSections, file, baseDir, secrets }: LoadedSettings): unknown {
  const { platform, arch } = process;
  return [version, process.version, platform, arch, settings, [...pluginSections], file, baseDir, secrets];
}

/** The list of tools for clients that ask before the plugins have been read (docs/spec/plugins.md#tool-list-cache). */
export class EarlyToolList {
  /** When plugins may be loaded; undefined: at once, because a short list takes less than to wait for who asks for it. */
  readonly mayLoad: Promise<void> | undefined;
  readonly #cache: ToolListCache;
  readonly #options: Options;
  #catalog: Pick<Catalog, 'snapshot' | 'listInputs'> | undefined;
  #load = () => {};
  #timer: NodeJS.Timeout | undefined;
  /** What is in the cache, once it was looked for. */
  #found: { readonly json: string | undefined } | undefined;
  /** What there was when all plugins had loaded. */
  #loaded: Snapshot | undefined;

  constructor(cache: ToolListCache, options: Options) {
    this.#cache = cache;
    this.#options = options;
    if (!cache.isLong) return;
    this.mayLoad = new Promise((resolve) => {
      this.#load = resolve;
    });
    this.#loadAfter(FIRST_LIST_MS);
  }

  /** @param catalog begins when `mayLoad` resolves */
  watch(catalog: Pick<Catalog, 'ready' | 'isComplete' | 'snapshot' | 'listInputs'>): void {
    this.#catalog = catalog;
    void catalog.ready().then(() => {
      if (catalog.isComplete) this.#compare(catalog.snapshot());
    });
  }

  /** The plugins are needed: they are loaded now. */
  load(): void {
    clearTimeout(this.#timer);
    this.#load();
  }

  /** The JSON of the result of `tools/list`; undefined if nothing is cached, and once the plugins have loaded. */
  get(): string | undefined {
    if (this.#loaded) return undefined;
    this.#found ??= this.#find();
    return this.#found.json;
  }

  /** Caches the list of this start, unless it has changed since. Never rejects. */
  async save(): Promise<void> {
    const [catalog, loaded] = [this.#catalog, this.#loaded];
    if (!loaded || catalog?.snapshot() !== loaded) return;
    const { tools, toolsOfAnyOutput } = this.#options.lists();
    // Which of the two a client gets depends on its version.
    if (tools !== toolsOfAnyOutput) return;
    const json = this.#json();
    if (this.#cache.find() === json) return;
    const inputs = await catalog.listInputs(this.#options.files());
    if (inputs && catalog.snapshot() === loaded) this.#cache.set(json, inputs);
  }

  #find(): { json: string | undefined } {
    const json = this.#cache.find();
    if (json === undefined) this.load();
    else this.#loadAfter(AFTER_LIST_MS);
    return { json };
  }

  #loadAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#load, ms);
  }

  #compare(loaded: Snapshot): void {
    this.#loaded = loaded;
    const early = this.#found?.json;
    this.#found = undefined;
    if (early !== undefined && early !== this.#json()) this.#options.onDifferent();
  }

  #json(): string {
    return JSON.stringify({ tools: this.#options.lists().tools });
  }
}
