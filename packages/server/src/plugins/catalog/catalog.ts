import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { RunningPlugin } from '../../core/plugin-status.js';
import type { Snapshot } from '../../core/snapshot.js';
import { shortWaitMs } from '../../settings/short-wait.js';
import { Signal } from '../../util/signal.js';
import { withTimeout } from '../../util/with-timeout.js';
import type { FoundPlugins } from '../find/discover-plugins.js';
import { buildSnapshot } from './build-snapshot.js';
import { type CatalogEntry, hasChanged, isLoading, knownLabels, reconcile, runningOf } from './catalog-entry.js';
import type { CatalogEvents, CatalogOptions } from './catalog-options.js';
import { EntryReview } from './entry-review.js';
import { markChangedSettingsForReload } from './entry-settings.js';
import { findCandidates } from './find-candidates.js';
import { PluginLoads } from './plugin-loads.js';
import { createProblemLog } from './problem-log.js';
import { ReloadQueue } from './reload-queue.js';
import { type ReloadReport, reloadReport } from './reload-report.js';
import { type ChangeListener, SnapshotPublisher } from './snapshot-publisher.js';
import { unmatchedSettings } from './unmatched-settings.js';

/**
 * Finds, loads and reloads all plugins, and publishes what they provide as a snapshot (docs/spec/plugins.md#discovery,
 * docs/spec/plugins.md#reload). Nothing is found or loaded before {@link start}.
 */
export class Catalog {
  readonly #options: CatalogOptions;
  readonly #reviews: EntryReview;
  readonly #publisher: SnapshotPublisher;
  readonly #report: (plugin: string | undefined, problem: PluginProblem) => void;
  readonly #reloads = new ReloadQueue(() => this.#reloadNow());
  readonly #ready = new Signal();
  readonly #listed = new Signal();
  readonly #callable = new Signal();
  /** Fires when lists and calls no longer wait for plugins that are loading. */
  readonly #startWaitEnded = new Signal();
  #entries: CatalogEntry[] = [];
  /** Problems of the plugins folders. */
  #problems: readonly PluginProblem[] = [];
  /** Problems of sections in the settings that match no plugin. */
  #unmatched: readonly PluginProblem[] = [];
  #builtIn: CatalogEntry | undefined;
  /** Set by {@link start}. */
  #started: { readonly loads: PluginLoads; readonly firstLoad: Promise<void> } | undefined;
  #isComplete = false;
  #isClosed = false;

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#reviews = new EntryReview(options);
    this.#report = options.logsProblems === false ? () => {} : createProblemLog(options.log);
    this.#publisher = new SnapshotPublisher({
      build: (previous) =>
        buildSnapshot({
          entries: this.#entries,
          nameStyle: options.settings.Tools.NameStyle,
          previous,
          builtIn: this.#builtIn,
        }),
      onAnnounced: (snapshot) => this.#reportProblems(snapshot),
    });
  }

  /**
   * Finds the plugins and starts to load all of them. Returns before they have loaded. Call it once.
   * @param builtIn the server's own tools
   */
  start(events: CatalogEvents, builtIn?: CatalogEntry): void {
    this.#builtIn = builtIn;
    const loads = new PluginLoads({
      options: this.#options,
      events,
      reviews: this.#reviews,
      publisher: this.#publisher,
      entries: () => this.#entries,
      reload: () => this.reload(),
    });
    const firstLoad = this.#loadAll(loads);
    this.#started = { loads, firstLoad };
    void firstLoad.then(() => this.#endWaiting());
  }

  /**
   * Resolves when each plugin has loaded, failed or exceeded its time limit, or the catalog has been closed. Never
   * rejects.
   */
  ready(): Promise<void> {
    return this.#ready.fired;
  }

  /** False until `ready()` resolves; stays false if it resolved because the catalog was closed. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * Resolves when lists can be answered: at `ready()`, or after `Plugins.StartWaitMs` with the plugins that have
   * loaded. Never rejects.
   */
  listed(): Promise<void> {
    return this.#listed.fired;
  }

  /**
   * Resolves when plugins that have loaded can be called: at `ready()`, or after an eighth of `Plugins.StartWaitMs`.
   * Never rejects.
   */
  callable(): Promise<void> {
    return this.#callable.fired;
  }

  /**
   * Waits at most `withinMs` for `ready()`, then answers the lists that wait with the plugins that have loaded. Called
   * when the client has closed its side. Never rejects.
   */
  async finishLoading(withinMs: number): Promise<void> {
    if (this.#started) await withTimeout(this.#ready.fired, withinMs);
    this.#startWaitEnded.fire();
  }

  /** Returns the pin labels of everything that the plugin with this path provides or has provided. */
  knownLabels(path: string): readonly string[] {
    return knownLabels(this.#entryOf(path), this.#options);
  }

  /**
   * Waits for a plugin that has no runner when a call needs it, and loads it again now if a retry is planned
   * (docs/spec/plugins.md#load-retries). Does nothing if the plugin has a runner.
   */
  async loadAgain(path: string): Promise<void> {
    const entry = this.#entryOf(path);
    if (entry && !entry.runner && !this.#isClosed) await this.#started?.loads.loadAgain(entry);
  }

  snapshot(): Snapshot {
    return this.#publisher.snapshot();
  }

  /** Known files of the plugins in the plugins folders. */
  files(): string[] {
    return this.#entries.flatMap(({ candidate, fingerprint }) =>
      traitsOf(candidate).hasFiles ? (fingerprint?.files ?? []) : [],
    );
  }

  /**
   * Problems of the plugins folders; once all plugins have loaded, also of sections in the settings that match no
   * plugin.
   */
  problems(): readonly PluginProblem[] {
    return [...this.#problems, ...this.#unmatched];
  }

  running(): readonly RunningPlugin[] {
    return this.#entries.map(runningOf);
  }

  /**
   * Loads plugins that were added or have changed, and removes those that are gone. The old code finishes its running
   * calls; a plugin whose newer code does not load keeps the old code. Only one reload runs at a time, and all requests
   * that wait are served by the next one. Never rejects for a plugin that does not load.
   * @param changed paths of plugins to load although the metadata of their files is unchanged
   * @param forceReload name of a plugin to load even if its files are unchanged; its cached definition is not used
   */
  reload(changed: readonly string[] = [], forceReload?: string): Promise<ReloadReport> {
    for (const entry of this.#entries) {
      const { name, path } = entry.candidate;
      entry.forceReload ||= name === forceReload || changed.includes(path);
    }
    return this.#reloads.request();
  }

  /** Compares the definition of every plugin with its pins again. Call it when pins have changed. */
  reviewAgain(): void {
    for (const entry of this.#entries) this.#reviews.update(entry);
    this.#publisher.changed();
  }

  /**
   * Calls the listener when lists change after they were first answered. Changes of one tick are announced together.
   * @returns a function that removes the listener
   */
  onChange(listener: ChangeListener): () => void {
    return this.#publisher.onChange(listener);
  }

  /** Disposes of all plugins, each within two seconds. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#publisher.close();
    this.#endWaiting();
    this.#startWaitEnded.fire();
    await this.#started?.loads.close(this.#entries);
  }

  async #loadAll(loads: PluginLoads): Promise<void> {
    this.#entries = this.#find().candidates.map((candidate) => ({ candidate }));
    for (const problem of this.#problems) this.#report(undefined, problem);
    const loading = loads.loadEach(this.#entries);
    const { Plugins } = this.#options.settings;
    const loadedOrEnded = Promise.race([loading, this.#startWaitEnded.fired]);
    // Calls wait, too: a name that is not found yet may belong to a plugin that is still loading.
    void withTimeout(loadedOrEnded, shortWaitMs(Plugins)).then(this.#callable.fire);
    await withTimeout(loadedOrEnded, Plugins.StartWaitMs);
    if (this.#isClosed) return;
    this.#reportLoading();
    this.#publisher.announceFirst();
    this.#listed.fire();
    await loading;
    this.#publisher.complete();
    this.#checkSections();
    this.#isComplete = !this.#isClosed;
  }

  #endWaiting(): void {
    this.#ready.fire();
    this.#listed.fire();
    this.#callable.fire();
  }

  async #reloadNow(): Promise<ReloadReport> {
    await this.#started?.firstLoad;
    await markChangedSettingsForReload(this.#options.pluginSettings, this.#entries);
    const found = this.#find();
    const existing = new Map(this.#entries.map((entry) => [entry.candidate.path, entry]));
    const next = found.candidates.map((candidate) => reconcile(existing.get(candidate.path), candidate));
    const deleted = this.#entries.filter((entry) => !next.includes(entry));
    const toLoad = next.filter(
      (entry) => !entry.runner || entry.failure || entry.review?.isBlocked || entry.forceReload || hasChanged(entry),
    );
    const before = new Set(toLoad.filter(({ runner }) => runner));
    this.#entries = next;
    if (deleted.length > 0) this.#publisher.changed();
    for (const entry of deleted) this.#started?.loads.remove(entry);
    // Searching the folders blocks the event loop, and so does starting a process, so each gets a turn of its own.
    await nextTurn();
    await this.#started?.loads.loadEach(toLoad);
    this.#checkSections();
    return reloadReport({ toLoad, before, deleted });
  }

  #find(): FoundPlugins {
    const found = findCandidates(this.#options);
    this.#problems = found.problems;
    return found;
  }

  #entryOf(path: string): CatalogEntry | undefined {
    return this.#entries.find(({ candidate }) => candidate.path === path);
  }

  #checkSections(): void {
    const { only, settings, pluginSettings } = this.#options;
    if (only !== undefined || !settings.Plugins.Enabled) return;
    this.#unmatched = unmatchedSettings(pluginSettings.sections, this.#entries, pluginSettings.file);
    for (const problem of this.#unmatched) this.#report(undefined, problem);
  }

  #reportProblems({ plugins }: Snapshot): void {
    for (const { name, problems } of plugins) for (const problem of problems) this.#report(name, problem);
  }

  #reportLoading(): void {
    const loading = this.#entries.filter(isLoading).map(({ candidate }) => candidate.name);
    if (loading.length === 0) return;
    this.#options.log.warn('plugins are still loading; what they offer joins the lists later', { plugins: loading });
  }
}
