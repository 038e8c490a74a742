import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PluginProblem } from '@mortise/plugin/runtime';
import type { RunnableCandidate } from '../../core/plugin-candidate.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { LoadedRunner, Runner, RunnerCallbacks } from '../../core/plugin-runner.js';
import type { Snapshot } from '../../core/snapshot.js';
import { shortWaitMs } from '../../settings/short-wait.js';
import { Signal } from '../../util/signal.js';
import { withTimeout } from '../../util/with-timeout.js';
import type { FoundPlugins } from '../find/discover-plugins.js';
import { sourceOf } from '../load/check-definition.js';
import { buildSnapshot } from './build-snapshot.js';
import {
  blockedReasonOf,
  type CatalogEntry,
  changesTooFast,
  fingerprintAtLoad,
  hasChanged,
  isLoading,
  knownLabels,
  type Load,
  reconciled,
  runningOf,
  unexpectedLoadError,
} from './catalog-entry.js';
import type { Catalog, ReloadReport } from './catalog-interface.js';
import type { CatalogOptions } from './catalog-options.js';
import { EntryReview } from './entry-review.js';
import { forceChangedSettings, settingsOf } from './entry-settings.js';
import { findCandidates } from './find-candidates.js';
import { ListChanges } from './list-changes.js';
import { LoadRetries } from './load-retries.js';
import { createProblemLog } from './problem-log.js';
import { recheckEntries } from './recheck-entries.js';
import { ReloadQueue } from './reload-queue.js';
import { reloadReport } from './reload-report.js';
import { SnapshotPublisher } from './snapshot-publisher.js';
import { unmatchedSettings } from './unmatched-settings.js';

/** How long one plugin may take to clean up, in milliseconds. */
const DISPOSE_TIMEOUT_MS = 2_000;

/** Finds the plugins and begins to load them all at once. */
export function createCatalog(options: CatalogOptions): Catalog {
  const { settings, log, pluginSettings, only } = options;
  const reviews = new EntryReview(options);
  const report = options.logsProblems === false ? () => {} : createProblemLog(log);
  const retries = new LoadRetries(load);
  const listChanges = new ListChanges(applyUpdate);
  let entries: CatalogEntry[] = [];
  let problems: readonly PluginProblem[] = [];
  let unmatched: readonly PluginProblem[] = [];
  let isClosed = false;
  let isComplete = false;
  let hasBegun = false;
  let endWaiting = () => {};
  const callable = new Signal();
  const startWait = new Signal();
  const listed = new Signal();
  const reloads = new ReloadQueue(reloadNow);
  const publisher = new SnapshotPublisher({
    build: (previous) =>
      buildSnapshot({ entries, nameStyle: settings.Tools.NameStyle, previous, builtIn: options.builtIn }),
    onAnnounced: reportProblems,
  });

  function applyUpdate(entry: CatalogEntry): void {
    reviews.update(entry);
    publisher.changed();
  }

  /** Where nothing unseen may run: it keeps changing what it offers, and the last of that was not compared yet. */
  function isUnreviewed(entry: CatalogEntry): boolean {
    return reviews.isStrict && listChanges.isWaiting(entry);
  }

  function reportProblems({ plugins }: Snapshot): void {
    for (const { name, problems: found } of plugins) for (const problem of found) report(name, problem);
  }

  /** Loads one plugin into its entry. What it had stays until there is something better. */
  function load(entry: CatalogEntry): Promise<void> {
    retries.cancel(entry);
    const load: Load = { number: (entry.load?.number ?? 0) + 1, startedAt: performance.now() };
    entry.load = load;
    load.firstResult = loadNow(entry, load);
    return load.firstResult;
  }

  async function loadNow(entry: CatalogEntry, load: Load): Promise<void> {
    const { candidate } = entry;
    if (!candidate.entry) return publisher.changed();
    const host = hostOf(entry);
    entry.forceReload = false;
    const loading = options.loadRunner(candidate as RunnableCandidate, host);
    const loaded = await loading.catch((error) => ({ problem: unexpectedLoadError(error, candidate.path) }));
    // Long lists take their time to check.
    await nextTurn();
    await settle(entry, loaded, load);
  }

  async function settle(entry: CatalogEntry, loaded: LoadedRunner, load: Load): Promise<void> {
    const isOld = () => load.number < (entry.loadedSequence ?? 0);
    if ('problem' in loaded) {
      // What did not load because the server ends has no problem of its own.
      if (isClosed) return;
      const { problem, afterTimeout } = loaded;
      load.wasTooSlow ||= problem.code === 'PLUGIN_LOAD_TIMEOUT';
      load.continuing = afterTimeout?.then((last) => settle(entry, last, load));
      if (isOld()) return;
      entry.failure = problem;
      entry.remembered ??= options.remembered?.(entry.candidate);
      if (entries.includes(entry) && entry.load === load) retries.failed(entry, loaded);
    } else {
      if (isClosed || isOld() || !entries.includes(entry)) return void disposeWithTimeout(loaded.runner);
      const old = entry.runner;
      entry.runner = loaded.runner;
      entry.loadedSequence = load.number;
      retries.loaded(entry);
      entry.fingerprint = loaded.isCached ? loaded.fingerprint : fingerprintAtLoad(entry, loaded.fingerprint, log);
      entry.failure = undefined;
      entry.isCached = loaded.isCached ?? false;
      entry.checked = loaded.isCached ? loaded.runner.definition : undefined;
      const { settings: asked } = loaded.runner.definition;
      // What is remembered may show secrets of the settings, and no process has asked for them yet.
      if (loaded.isCached && asked) settingsOf(pluginSettings, entries, entry, asked);
      reviews.update(entry);
      for (const resource of old?.watched ?? []) loaded.runner.watchResource?.(resource);
      if (old) void disposeWithTimeout(old);
    }
    entry.loadMs = Math.round(performance.now() - load.startedAt);
    publisher.changed();
  }

  function hostOf(entry: CatalogEntry): RunnerCallbacks {
    const { candidate, forceReload = false } = entry;
    return {
      source: sourceOf(candidate, settings.Plugins.Limits),
      pluginName: candidate.name,
      pluginsDir: candidate.directory,
      config: candidate.bundled?.config ?? pluginSettings.configOf(candidate),
      environment: pluginSettings.environmentOf(candidate),
      dataDir: pluginSettings.dataDirOf(candidate),
      ownSettings: async (request) => settingsOf(pluginSettings, entries, entry, request),
      log: (line) => options.onLog(candidate.name, line),
      crashed(message) {
        entry.crashes = (entry.crashes ?? 0) + 1;
        options.onCrash?.();
        options.onLog(candidate.name, { level: 'error', message });
      },
      reloadPlugins: async () => void (await reload()),
      resourceListChanged: () => publisher.listsOtherResources(),
      resourceUpdated: (uri) => options.onResourceUpdated(uri, candidate.path),
      definitionChanged() {
        if (publisher.hasAnnounced) listChanges.changed(entry);
        else applyUpdate(entry);
      },
      provided: () => entry.definition,
      blockedReason: () => (isUnreviewed(entry) ? changesTooFast(candidate) : blockedReasonOf(entry)),
      mustReload: (definition) => forceReload || reviews.isBlocked(entry, definition),
    };
  }

  function find(): FoundPlugins {
    const found = findCandidates(options);
    problems = found.problems;
    return found;
  }

  /** Begins to load all of them, one in each turn of the event loop: a cached definition is read and reviewed in that turn. */
  async function loadEach(toLoad: readonly CatalogEntry[]): Promise<void> {
    const loads: Promise<void>[] = [];
    for (const entry of toLoad) {
      if (isClosed) break;
      loads.push(load(entry));
      await nextTurn();
    }
    await Promise.all(loads);
  }

  async function loadAll(): Promise<void> {
    if (isClosed) return;
    hasBegun = true;
    const found = find();
    entries = found.candidates.map((candidate) => ({ candidate }));
    for (const problem of problems) report(undefined, problem);
    const loads = loadEach(entries);
    const { StartWaitMs } = settings.Plugins;
    const loadedOrEnded = Promise.race([loads, startWait.given]);
    // One of the other plugins may own the name of what is called.
    void withTimeout(loadedOrEnded, shortWaitMs(settings.Plugins)).then(callable.give);
    await withTimeout(loadedOrEnded, StartWaitMs);
    if (isClosed) return;
    reportLoading();
    publisher.announceFirst();
    listed.give();
    await loads;
    publisher.complete();
    checkSections();
    isComplete = !isClosed;
  }

  const entryOf = (path: string) => entries.find(({ candidate }) => candidate.path === path);

  /** Which sections of the settings are of no plugin. */
  function checkSections(): void {
    if (only !== undefined || !settings.Plugins.Enabled) return;
    unmatched = unmatchedSettings(pluginSettings.sections, entries, pluginSettings.file);
    for (const problem of unmatched) report(undefined, problem);
  }

  function reportLoading(): void {
    const loading = entries.filter(isLoading).map(({ candidate }) => candidate.name);
    if (loading.length === 0) return;
    log.warn('plugins are still loading; what they offer joins the lists later', { plugins: loading });
  }

  function reload(paths: readonly string[] = [], forceReload?: string): Promise<ReloadReport> {
    for (const entry of entries) {
      const { name, path } = entry.candidate;
      entry.forceReload ||= name === forceReload || paths.includes(path);
    }
    return reloads.request();
  }

  async function reloadNow(): Promise<ReloadReport> {
    await loaded;
    forceChangedSettings(pluginSettings, entries);
    const found = find();
    const existing = new Map(entries.map((entry) => [entry.candidate.path, entry]));
    const next = found.candidates.map((candidate) => reconciled(existing.get(candidate.path), candidate));
    const deleted = entries.filter((entry) => !next.includes(entry));
    const toLoad = next.filter(
      (entry) => !entry.runner || entry.failure || entry.review?.isBlocked || entry.forceReload || hasChanged(entry),
    );
    const before = new Set(toLoad.filter(({ runner }) => runner));
    entries = next;
    if (deleted.length > 0) publisher.changed();
    for (const entry of deleted) retries.cancel(entry);
    for (const { runner } of deleted) if (runner) void disposeWithTimeout(runner);
    // To read the folders takes its time, and so does a process that is started.
    await nextTurn();
    await loadEach(toLoad);
    checkSections();
    return reloadReport({ toLoad, before, deleted });
  }

  const loaded = loadAll();
  // One promise for all: a race per call would hang its reactions on `loaded` forever.
  const ready = new Promise<void>((resolve) => {
    endWaiting = resolve;
    void loaded.then(resolve);
  });
  void ready.then(listed.give);
  void ready.then(callable.give);
  return {
    ready: () => ready,
    listed: () => listed.given,
    callable: () => callable.given,
    async finishLoading(withinMs) {
      if (hasBegun) await withTimeout(ready, withinMs);
      startWait.give();
    },
    get isComplete() {
      return isComplete;
    },
    knownLabels: (path) => knownLabels(entryOf(path), options),
    async loadAgain(path) {
      const entry = entryOf(path);
      if (entry && !entry.runner && !isClosed) await retries.now(entry, settings.Plugins.LoadTimeoutMs);
    },
    snapshot: () => publisher.snapshot(),
    files: () =>
      entries.flatMap(({ candidate, fingerprint }) => (traitsOf(candidate).hasFiles ? (fingerprint?.files ?? []) : [])),
    problems: () => [...problems, ...unmatched],
    running: () => entries.map(runningOf),
    reload,
    recheck: () => recheckEntries(entries, reviews, () => publisher.changed()),
    reviewAgain() {
      for (const entry of entries) reviews.update(entry);
      publisher.changed();
    },
    onChange: (listener) => publisher.onChange(listener),
    async close() {
      isClosed = true;
      retries.close();
      publisher.close();
      endWaiting();
      startWait.give();
      await Promise.all(entries.map(({ runner }) => runner && disposeWithTimeout(runner)));
    },
  };
}

async function disposeWithTimeout(runner: Runner): Promise<void> {
  await withTimeout(runner.dispose(), DISPOSE_TIMEOUT_MS);
}
