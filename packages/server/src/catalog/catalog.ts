import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isOwnScheme, type PluginDefinition, type PluginLogEntry, type PluginProblem } from '@mortise/plugin/runtime';
import type { Review } from '../core/definition-review.js';
import type { Candidate, RunnableCandidate } from '../core/plugin-candidate.js';
import type { Fingerprint } from '../core/plugin-fingerprint.js';
import type { LoadedRunner, LoadRunner, Runner, RunnerCallbacks } from '../core/plugin-runner.js';
import type { Snapshot } from '../core/snapshot.js';
import type { PinnedPlugin } from '../lockfile/plugin-key.js';
import type { Log } from '../logging/log.js';
import { checkDefinition, recheckSchemas, sourceOf } from '../plugin-loading/check-definition.js';
import { byName, findPlugins } from '../plugin-loading/discover-plugins.js';
import { fingerprint, rehash } from '../plugin-loading/fingerprint.js';
import { DEFAULT_LIMITS } from '../settings/plugin-limits.js';
import type { Settings } from '../settings/settings.js';
import { withTimeout } from '../util/with-timeout.js';
import { buildSnapshot } from './build-snapshot.js';
import type { CatalogEntry } from './catalog-entry.js';
import { ListChanges } from './list-changes.js';
import { createProblemLog } from './problem-log.js';

/** How long one plugin may take to clean up, in milliseconds. */
const DISPOSE_TIMEOUT_MS = 2_000;
/** In how many loads running files of a plugin may change before it is taken for the plugin's own doing. */
const MAX_WRITES = { data: 2, code: 6 };

export interface CatalogOptions {
  readonly settings: Pick<Settings, 'Plugins' | 'Tools'>;
  readonly log: Log;
  readonly loadRunner: LoadRunner;
  /** The host's own tools. */
  readonly builtIn?: CatalogEntry;
  /** Where there is one, only plugins of this name are loaded. */
  readonly only?: string | undefined;
  /** Plugins that ship with the server; they come before those of the folders. */
  readonly bundled?: readonly Candidate[];
  /** Servers of the settings; they come after the plugins of the folders. */
  readonly mounted?: readonly Candidate[];
  /** Looks at what a plugin offers before anyone else sees it, at load and at each change. */
  readonly review?: (plugin: PinnedPlugin, definition: PluginDefinition) => Review;
  /** A line of a plugin's own logger outside of calls. */
  onLog(plugin: string, entry: PluginLogEntry): void;
  onResourceUpdated(uri: string): void;
}

/** A list that did change. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

/** What a reload did, by plugin name. */
export interface ReloadReport {
  added: string[];
  changed: string[];
  removed: string[];
  /** The old code stays where there was some; the reason is in the plugin's problems. */
  failed: string[];
}

/** All plugins, and what they offer at the moment (docs/spec/plugins.md#discovery, docs/spec/plugins.md#reload). */
export interface Catalog {
  /** Resolves when each plugin has loaded, failed, or had its time. Never rejects. */
  ready(): Promise<void>;
  /** Of what has loaded so far. */
  snapshot(): Snapshot;
  /** The files that the plugins of the folders are made of, as far as they are known. */
  files(): string[];
  /** What is wrong with the plugins folders themselves. */
  problems(): readonly PluginProblem[];
  /**
   * Loads what was added or has changed beside the old, which continues with its running calls; a plugin that does not load
   * keeps its old code. Reloads are queued, and those that wait are done as one.
   * @param changed paths of plugins that have changed although their files' times say nothing of it
   * @param forceReload the name of a plugin that is loaded whether it has changed or not, and not by what is remembered of it
   */
  reload(changed?: readonly string[], forceReload?: string): Promise<ReloadReport>;
  /** Looks into the schemas of what was remembered; no one waited for that. */
  recheck(): Promise<void>;
  /** Reviews every plugin again, because what reviews depend on has changed. */
  reviewAgain(): void;
  /** Tells of changes after `ready()`, those of one tick together. Returns how to stop listening. */
  onChange(listener: (changed: readonly ChangedList[]) => void): () => void;
  /** Disposes of all plugins, each within two seconds. */
  close(): Promise<void>;
}

/** Finds the plugins and begins to load them all at once. */
export function createCatalog(options: CatalogOptions): Catalog {
  const { settings, log } = options;
  const report = createProblemLog(log);
  const listeners = new Set<(changed: readonly ChangedList[]) => void>();
  const listChanges = new ListChanges(settings.Plugins.Limits ?? DEFAULT_LIMITS, applyUpdate);
  let entries: CatalogEntry[] = [];
  let problems: readonly PluginProblem[] = [];
  let current: Snapshot | undefined;
  let announced: Snapshot | undefined;
  let last: Snapshot | undefined;
  let isFlushing = false;
  let isClosed = false;
  let endWaiting = () => {};
  let reloading = Promise.resolve<unknown>(undefined);
  let waiting: Promise<ReloadReport> | undefined;

  function snapshot(): Snapshot {
    current ??= buildSnapshot({
      entries,
      nameStyle: settings.Tools.NameStyle,
      previous: announced && last,
      builtIn: options.builtIn,
    });
    last = current;
    return current;
  }

  function changed(): void {
    current = undefined;
    if (!announced || isFlushing || isClosed) return;
    isFlushing = true;
    queueMicrotask(flush);
  }

  function applyUpdate(entry: CatalogEntry): void {
    review(entry);
    changed();
  }

  /** Where nothing unseen may run: it keeps changing what it offers, and the last of that was not compared yet. */
  function isUnreviewed(entry: CatalogEntry): boolean {
    return settings.Plugins.OnChange === 'refuse' && listChanges.isWaiting(entry);
  }

  function flush(): void {
    const startedAt = performance.now();
    announce();
    listChanges.charge(performance.now() - startedAt);
  }

  function announce(): void {
    isFlushing = false;
    const before = announced!;
    announced = snapshot();
    reportProblems();
    const lists = changedLists(before, announced);
    if (lists.length > 0) for (const listener of listeners) listener(lists);
  }

  function reportProblems(): void {
    for (const { name, problems: found } of snapshot().plugins) for (const problem of found) report(name, problem);
  }

  /** Loads one plugin into its entry. What it had stays until there is something better. */
  async function load(entry: CatalogEntry): Promise<void> {
    const { candidate } = entry;
    if (!candidate.entry) return changed();
    const load = { number: (entry.loadSequence ?? 0) + 1, startedAt: performance.now() };
    entry.loadSequence = load.number;
    const host = hostOf(entry);
    entry.forceReload = false;
    const loading = options.loadRunner(candidate as RunnableCandidate, host);
    const loaded = await loading.catch((error) => ({ problem: unexpectedLoadError(error, candidate.path) }));
    // Long lists take their time to check, and again to review: calls of others are served in between.
    await nextTurn();
    settle(entry, loaded, load);
  }

  function settle(entry: CatalogEntry, loaded: LoadedRunner, load: { number: number; startedAt: number }): void {
    const isOld = load.number < (entry.loadedSequence ?? 0);
    if ('problem' in loaded) {
      void loaded.afterTimeout?.then((afterTimeout) => settle(entry, afterTimeout, load));
      if (isOld) return;
      entry.failure = loaded.problem;
    } else {
      if (isClosed || isOld || !entries.includes(entry)) return void disposeWithTimeout(loaded.runner);
      const old = entry.runner;
      entry.runner = loaded.runner;
      entry.loadedSequence = load.number;
      entry.fingerprint = loaded.isCached ? loaded.fingerprint : asLoaded(entry, loaded.fingerprint);
      entry.failure = undefined;
      review(entry);
      for (const uri of old?.watched ?? []) loaded.runner.watchResource?.(uri);
      if (old) void disposeWithTimeout(old);
    }
    entry.loadMs = Math.round(performance.now() - load.startedAt);
    changed();
  }

  /**
   * What was written while it loaded counts as newer code, for that may be its author's. Where that happens again and
   * again it is the plugin itself that writes there, and would be loaded forever.
   */
  function asLoaded(entry: CatalogEntry, before: Fingerprint): Fingerprint {
    const { candidate } = entry;
    const stateHash = hashNow(candidate, before);
    const writes = stateHash === before.stateHash ? 0 : (entry.writesAtLoad ?? 0) + 1;
    entry.writesAtLoad = writes;
    if (writes < MAX_WRITES.data) return before;
    const isCode = fingerprint(candidate as RunnableCandidate).codeHash !== before.codeHash;
    if (isCode && writes < MAX_WRITES.code) return before;
    const hint = 'What a plugin writes belongs in a folder whose name begins with a dot, or outside of its own.';
    log.warn('a plugin changes its own files each time it loads: it is not loaded again for that', {
      plugin: candidate.name,
      hint,
    });
    return { ...before, stateHash };
  }

  function reviewOf({ candidate }: CatalogEntry, definition: PluginDefinition): Review | undefined {
    return candidate.bundled ? undefined : options.review?.(pinnedAs(candidate), definition);
  }

  /** Without `refuse` nothing is, and a review of many plugins takes its time. */
  function isBlocked(entry: CatalogEntry, definition: PluginDefinition): boolean {
    return settings.Plugins.OnChange === 'refuse' && (reviewOf(entry, definition)?.isBlocked ?? false);
  }

  /** Nothing that a plugin says is gone by before it was checked; what ships with the server is our own word. */
  function review(entry: CatalogEntry): void {
    const { runner, candidate } = entry;
    if (!runner) return;
    const { definition } = runner;
    entry.definition = candidate.bundled
      ? definition
      : checkDefinition(definition, sourceOf(candidate, settings.Plugins.Limits));
    entry.review = reviewOf(entry, entry.definition);
  }

  function hostOf(entry: CatalogEntry): RunnerCallbacks {
    const { candidate, forceReload = false } = entry;
    return {
      source: sourceOf(candidate, settings.Plugins.Limits),
      pluginName: candidate.name,
      pluginsDir: candidate.directory,
      config: candidate.bundled?.config ?? settings.Plugins.Config,
      log: (line) => options.onLog(candidate.name, line),
      reloadPlugins: async () => void (await reload()),
      resourceUpdated: (uri) => (isOwnScheme(uri) ? undefined : options.onResourceUpdated(uri)),
      definitionChanged() {
        if (announced) listChanges.changed(entry);
        else applyUpdate(entry);
      },
      provided: () => entry.definition,
      blockedReason: () => (isUnreviewed(entry) ? changesTooFast(candidate) : blockedReasonOf(entry)),
      mustReload: (definition) => forceReload || isBlocked(entry, definition),
    };
  }

  async function loadAll(): Promise<void> {
    const found = findAll(options);
    problems = found.problems;
    entries = found.candidates.map((candidate) => ({ candidate }));
    for (const problem of problems) report(undefined, problem);
    await Promise.all(entries.map(load));
    announced = snapshot();
    reportProblems();
  }

  /** One more reload after the running one does for all who ask meanwhile. */
  function reload(paths: readonly string[] = [], forceReload?: string): Promise<ReloadReport> {
    for (const entry of entries) {
      const { name, path } = entry.candidate;
      entry.forceReload ||= name === forceReload || paths.includes(path);
    }
    if (waiting) return waiting;
    const next = reloading.then(() => {
      waiting = undefined;
      return reloadNow();
    });
    waiting = next;
    reloading = next.catch(() => {});
    return next;
  }

  async function reloadNow(): Promise<ReloadReport> {
    await loaded;
    const found = findAll(options);
    problems = found.problems;
    const existing = new Map(entries.map((entry) => [entry.candidate.path, entry]));
    const next = found.candidates.map((candidate) => reconciled(existing.get(candidate.path), candidate));
    const deleted = entries.filter((entry) => !next.includes(entry));
    const toLoad = next.filter(
      (entry) => !entry.runner || entry.failure || entry.review?.isBlocked || entry.forceReload || hasChanged(entry),
    );
    const before = new Map(toLoad.map((entry) => [entry, entry.runner]));
    entries = next;
    if (deleted.length > 0) changed();
    for (const { runner } of deleted) if (runner) void disposeWithTimeout(runner);
    // To read the folders takes its time, and so does a process that is started.
    await nextTurn();
    await Promise.all(toLoad.map(load));
    const names = (list: CatalogEntry[]) => list.map(({ candidate }) => candidate.name);
    return {
      added: names(toLoad.filter((entry) => !before.get(entry) && !hasFailed(entry))),
      changed: names(toLoad.filter((entry) => before.get(entry) && !hasFailed(entry))),
      removed: names(deleted),
      failed: names(toLoad.filter(hasFailed)),
    };
  }

  const loaded = loadAll();
  // One promise for all: a race per call would hang its reactions on `loaded` forever.
  const ready = new Promise<void>((resolve) => {
    endWaiting = resolve;
    void loaded.then(resolve);
  });
  return {
    ready: () => ready,
    snapshot,
    files: () =>
      entries.flatMap(({ candidate, fingerprint }) =>
        candidate.bundled || candidate.mounted ? [] : (fingerprint?.files ?? []),
      ),
    problems: () => problems,
    reload,
    async recheck() {
      for (const entry of entries) {
        const { definition, candidate } = entry;
        if (!definition || candidate.bundled) continue;
        const isBad = await recheckSchemas(definition, sourceOf(candidate));
        if (!isBad || entry.definition !== definition) continue;
        review(entry);
        changed();
      }
    },
    reviewAgain() {
      for (const entry of entries) review(entry);
      changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      endWaiting();
      await Promise.all(entries.map(({ runner }) => runner && disposeWithTimeout(runner)));
    },
  };
}

const blockedReasonOf = ({ review }: CatalogEntry) => (review?.isBlocked ? review.problems[0] : undefined);

function changesTooFast({ entry, path }: Candidate): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_DEFINITION_CHANGED',
    message: 'It keeps changing its lists, and the last change has not been compared with what is trusted yet.',
    hint: 'Call again in a moment.',
    location: { file: entry ?? path },
  };
}

/** A loader never rejects; one that does after all must not keep the other plugins waiting. */
function unexpectedLoadError(error: unknown, file: string): PluginProblem {
  const message = `It could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
  const hint = 'This is a defect of Mortise: please report it with this message.';
  return { severity: 'error', code: 'PLUGIN_UNREADABLE', message, hint, location: { file } };
}

/** Its newer code was not loaded, or it has none that could be. */
const hasFailed = ({ failure, candidate }: CatalogEntry) => failure !== undefined || candidate.entry === undefined;

/** The entry of a plugin that is still there, with what its folder says now: another entry point is newer code. */
function reconciled(existing: CatalogEntry | undefined, candidate: Candidate): CatalogEntry {
  if (!existing) return { candidate };
  if (existing.candidate.entry !== candidate.entry) existing.fingerprint = undefined;
  existing.candidate = candidate;
  return existing;
}

function hasChanged({ candidate, fingerprint }: CatalogEntry): boolean {
  return !fingerprint || fingerprint.stateHash !== hashNow(candidate, fingerprint);
}

function hashNow({ root }: Candidate, { files }: Fingerprint): string {
  return rehash({ ...(root !== undefined && { root }) }, files);
}

/** A mounted server is pinned by its name: it has no place of its own. */
function pinnedAs({ name, path, entry, mounted }: Candidate): PinnedPlugin {
  return mounted ? { name } : { name, path, ...(entry !== undefined && { entry }) };
}

function findAll({ settings: { Plugins }, bundled = [], mounted = [], only }: CatalogOptions): {
  candidates: Candidate[];
  problems: PluginProblem[];
} {
  const found = Plugins.Enabled
    ? [...new Set(Plugins.Directory)].map((folder) => findPlugins(folder, Plugins.Limits))
    : [];
  const all = [...bundled, ...found.flatMap(({ candidates }) => candidates).sort(byName), ...mounted];
  return {
    candidates: all.filter(({ name }) => only === undefined || name === only),
    problems: found.flatMap(({ problems }) => problems),
  };
}

const LISTS: Record<ChangedList, (snapshot: Snapshot) => unknown[]> = {
  tools: ({ tools }) => tools.map(({ wireName, definition }) => [wireName, definition]),
  resources: ({ resources, templates }) => [...resources, ...templates].map(({ definition }) => definition),
  prompts: ({ prompts }) => prompts.map(({ definition }) => definition),
};

function changedLists(before: Snapshot, after: Snapshot): ChangedList[] {
  const lists = Object.keys(LISTS) as ChangedList[];
  return lists.filter((list) => !isSameList(LISTS[list](before), LISTS[list](after)));
}

/** Definitions are JSON; members in another order count as a change. */
function isSameList(before: unknown[], after: unknown[]): boolean {
  return (
    before.length === after.length &&
    before.every((item, index) => item === after[index] || JSON.stringify(item) === JSON.stringify(after[index]))
  );
}

async function disposeWithTimeout(runner: Runner): Promise<void> {
  await withTimeout(runner.dispose(), DISPOSE_TIMEOUT_MS);
}
