import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CLEAN_UP_MS } from '../../core/grace-period.js';
import type { RunnableCandidate } from '../../core/plugin-candidate.js';
import type { LoadedRunner, Runner, RunnerCallbacks } from '../../core/plugin-runner.js';
import { withTimeout } from '../../util/with-timeout.js';
import {
  blockedReasonOf,
  type CatalogEntry,
  changesTooFast,
  fingerprintAtLoad,
  type Load,
  unexpectedLoadError,
} from './catalog-entry.js';
import type { CatalogEvents, CatalogOptions } from './catalog-options.js';
import type { EntryReview } from './entry-review.js';
import { settingsOf } from './entry-settings.js';
import { ListChanges } from './list-changes.js';
import { LoadRetries } from './load-retries.js';
import type { SnapshotPublisher } from './snapshot-publisher.js';

interface Parts {
  readonly options: CatalogOptions;
  readonly events: CatalogEvents;
  readonly reviews: EntryReview;
  readonly publisher: SnapshotPublisher;
  entries(): readonly CatalogEntry[];
  /** Reloads all plugins that have changed, at the request of a plugin. */
  reload(): Promise<unknown>;
}

/** Loads plugins into their entries. An entry keeps its former runner until a newer one has loaded. */
export class PluginLoads {
  readonly #parts: Parts;
  readonly #retries = new LoadRetries((entry) => this.#load(entry));
  readonly #listChanges = new ListChanges<CatalogEntry>((entry) => this.#applyUpdate(entry));
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Loads these plugins, and resolves when each has a result. One load starts in each turn of the event loop, because
   * reading a cached definition blocks it.
   */
  async loadEach(toLoad: readonly CatalogEntry[]): Promise<void> {
    const loads: Promise<void>[] = [];
    for (const entry of toLoad) {
      if (this.#isClosed) break;
      loads.push(this.#load(entry));
      await nextTurn();
    }
    await Promise.all(loads);
  }

  /**
   * Runs a planned retry of a plugin now, or waits for its running load: at most `Plugins.LoadTimeoutMs` for one that
   * has exceeded its time limit.
   */
  async loadAgain(entry: CatalogEntry): Promise<void> {
    await this.#retries.retryNow(entry, this.#parts.options.settings.Plugins.LoadTimeoutMs);
  }

  /** Cancels the retries of a plugin that was removed, and disposes of its runner. */
  remove(entry: CatalogEntry): void {
    this.#retries.cancel(entry);
    if (entry.runner) void disposeWithTimeout(entry.runner);
  }

  /** Ends all retries, and disposes of the runners of these plugins, each within two seconds. */
  async close(entries: readonly CatalogEntry[]): Promise<void> {
    this.#isClosed = true;
    this.#retries.close();
    await Promise.all(entries.map(({ runner }) => runner && disposeWithTimeout(runner)));
  }

  #load(entry: CatalogEntry): Promise<void> {
    this.#retries.cancel(entry);
    const load: Load = { number: (entry.load?.number ?? 0) + 1, startedAt: performance.now() };
    entry.load = load;
    load.firstResult = this.#loadNow(entry, load);
    return load.firstResult;
  }

  async #loadNow(entry: CatalogEntry, load: Load): Promise<void> {
    const { candidate } = entry;
    if (!candidate.entry) return this.#parts.publisher.changed();
    const callbacks = this.#callbacksOf(entry);
    entry.forceReload = false;
    const loading = this.#parts.options.loadRunner(candidate as RunnableCandidate, callbacks);
    const loaded = await loading.catch((error) => ({ problem: unexpectedLoadError(error, candidate.path) }));
    // The review of a long list blocks the event loop, so it gets a turn of its own.
    await nextTurn();
    this.#settle(entry, loaded, load);
  }

  /** Takes over the result of a load, unless a newer load has a result already. */
  #settle(entry: CatalogEntry, loaded: LoadedRunner, load: Load): void {
    const isOld = load.number < (entry.runnerLoadNumber ?? 0);
    if ('problem' in loaded) {
      // A load that fails while the server is closing is not the plugin's problem.
      if (this.#isClosed) return;
      const { problem, afterTimeout } = loaded;
      load.wasTooSlow ||= problem.code === 'PLUGIN_LOAD_TIMEOUT';
      load.continuing = afterTimeout?.then((last) => this.#settle(entry, last, load));
      if (isOld) return;
      this.#failed(entry, loaded, load);
    } else {
      if (this.#isClosed || isOld || !this.#has(entry)) return void disposeWithTimeout(loaded.runner);
      this.#loaded(entry, loaded, load);
    }
    entry.loadMs = Math.round(performance.now() - load.startedAt);
    this.#parts.publisher.changed();
  }

  #failed(entry: CatalogEntry, loaded: Extract<LoadedRunner, { problem: unknown }>, load: Load): void {
    entry.failure = loaded.problem;
    entry.remembered ??= this.#parts.options.remembered?.(entry.candidate);
    if (this.#has(entry) && entry.load === load) this.#retries.onFailed(entry, loaded);
  }

  #loaded(entry: CatalogEntry, loaded: Extract<LoadedRunner, { runner: Runner }>, load: Load): void {
    const { runner, isCached = false, fingerprint } = loaded;
    const { options, reviews, entries } = this.#parts;
    const old = entry.runner;
    entry.runner = runner;
    entry.runnerLoadNumber = load.number;
    this.#retries.onLoaded(entry);
    entry.fingerprint = isCached ? fingerprint : fingerprintAtLoad(entry, fingerprint, options.log);
    entry.failure = undefined;
    const { settings: settingsRequest } = runner.definition;
    // A cached definition can contain secrets of the settings, and no process has asked for the settings yet. Reading
    // them now adds the secrets to the redaction.
    if (isCached && settingsRequest) settingsOf(options.pluginSettings, entries(), entry, settingsRequest);
    reviews.update(entry);
    for (const resource of old?.watched ?? []) runner.watchResource?.(resource);
    if (old) void disposeWithTimeout(old);
  }

  #callbacksOf(entry: CatalogEntry): RunnerCallbacks {
    const { candidate, forceReload = false } = entry;
    const { options, events, entries, reload, publisher, reviews } = this.#parts;
    const { pluginSettings } = options;
    return {
      pluginName: candidate.name,
      pluginsDir: candidate.directory,
      config: candidate.bundled?.config ?? pluginSettings.configOf(candidate),
      environment: pluginSettings.environmentOf(candidate),
      dataDir: pluginSettings.dataDirOf(candidate),
      ownSettings: async (request) => settingsOf(pluginSettings, entries(), entry, request),
      log: (line) => events.onLog(candidate.name, line),
      crashed(message) {
        entry.crashes = (entry.crashes ?? 0) + 1;
        events.onCrash?.();
        events.onLog(candidate.name, { level: 'error', message });
      },
      reloadPlugins: async () => void (await reload()),
      resourceListChanged: () => publisher.listsOtherResources(),
      resourceUpdated: (uri) => events.onResourceUpdated(uri, candidate.path),
      definitionChanged: () => {
        if (publisher.hasAnnounced) this.#listChanges.changed(entry);
        else this.#applyUpdate(entry);
      },
      provided: () => entry.definition,
      blockedReason: () => (this.#isUnreviewed(entry) ? changesTooFast(candidate) : blockedReasonOf(entry)),
      mustReload: (definition) => forceReload || reviews.isBlocked(entry, definition),
    };
  }

  #applyUpdate(entry: CatalogEntry): void {
    this.#parts.reviews.update(entry);
    this.#parts.publisher.changedNow();
  }

  /** In strict mode: true if the plugin changed again and its new definition has not been reviewed. */
  #isUnreviewed(entry: CatalogEntry): boolean {
    return this.#parts.reviews.isStrict && this.#listChanges.isWaiting(entry);
  }

  #has(entry: CatalogEntry): boolean {
    return this.#parts.entries().includes(entry);
  }
}

async function disposeWithTimeout(runner: Runner): Promise<void> {
  await withTimeout(runner.dispose(), CLEAN_UP_MS);
}
