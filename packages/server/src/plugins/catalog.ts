import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PluginHost, PluginLogEntry, PluginProblem } from '@mortise/plugin/host';
import type { Snapshot } from '../call/registry.js';
import type { Log } from '../log.js';
import { inProcess } from '../runners/in-process.js';
import type { LoadRunner, RunnableCandidate, Runner } from '../runners/runner.js';
import type { Settings } from '../settings/settings.js';
import { byName, type Candidate, findPlugins } from './find.js';
import { createProblemLog } from './problem-log.js';
import { buildSnapshot, type CatalogEntry } from './snapshot.js';
import { LATE, within } from './within.js';

/** How long one plugin may take to clean up, in milliseconds. */
const DISPOSE_TIMEOUT_MS = 2_000;

export interface CatalogOptions {
  readonly settings: Pick<Settings, 'Plugins' | 'Tools'>;
  readonly log: Log;
  /** Default: in the server's own process. */
  readonly loadRunner?: LoadRunner;
  /** Where translated TypeScript is kept; nothing is without it. */
  readonly cacheDir?: string;
  /** A line of a plugin's own logger outside of calls. */
  onLog(plugin: string, entry: PluginLogEntry): void;
  onResourceUpdated(uri: string): void;
}

/** A list that did change. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

/** All plugins, and what they offer at the moment (plugins.md §1). */
export interface Catalog {
  /** Resolves when each plugin has loaded, failed, or had its time. Never rejects. */
  ready(): Promise<void>;
  /** Of what has loaded so far. */
  snapshot(): Snapshot;
  /** What is wrong with the plugins folders themselves. */
  problems(): readonly PluginProblem[];
  /** Tells of changes after `ready()`, those of one tick together. Returns how to stop listening. */
  onChange(listener: (changed: readonly ChangedList[]) => void): () => void;
  /** Disposes of all plugins, each within two seconds. */
  close(): Promise<void>;
}

/** Finds the plugins and begins to load them all at once. */
export function createCatalog(options: CatalogOptions): Catalog {
  const { settings, log, loadRunner = inProcess(options.cacheDir) } = options;
  const { candidates, problems } = findAll(settings);
  const entries: CatalogEntry[] = candidates.map((candidate) => ({ candidate }));
  const report = createProblemLog(log);
  const listeners = new Set<(changed: readonly ChangedList[]) => void>();
  let current: Snapshot | undefined;
  let announced: Snapshot | undefined;
  let last: Snapshot | undefined;
  let isFlushing = false;
  const closing = new AbortController();

  function snapshot(): Snapshot {
    current ??= buildSnapshot(entries, settings.Tools.NameStyle, announced && last);
    last = current;
    return current;
  }

  function changed(): void {
    current = undefined;
    if (!announced || isFlushing || closing.signal.aborted) return;
    isFlushing = true;
    queueMicrotask(flush);
  }

  function flush(): void {
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

  async function load(index: number): Promise<void> {
    const { candidate } = entries[index]!;
    if (!candidate.entry) return;
    const startedAt = performance.now();
    const settle = (outcome: Pick<CatalogEntry, 'runner' | 'failure'>) => {
      entries[index] = { candidate, ...outcome, loadMs: Math.round(performance.now() - startedAt) };
      changed();
    };
    const loading = loadRunner(candidate as RunnableCandidate, hostOf(candidate)).then((loaded) => {
      if (closing.signal.aborted && 'runner' in loaded) return disposeInTime(loaded.runner);
      settle('runner' in loaded ? { runner: loaded.runner } : { failure: loaded.problem });
    });
    const { LoadTimeoutMs } = settings.Plugins;
    if ((await within(loading, LoadTimeoutMs, closing.signal)) === LATE)
      settle({ failure: timedOut(candidate.entry, LoadTimeoutMs) });
  }

  function hostOf(candidate: Candidate): PluginHost {
    return {
      pluginName: candidate.name,
      pluginsDir: candidate.directory,
      config: settings.Plugins.Config,
      log: (entry) => options.onLog(candidate.name, entry),
      reloadPlugins: () => Promise.reject(new Error('This version does not reload plugins; restart the server')),
      resourceUpdated: (uri) => options.onResourceUpdated(uri),
      definitionChanged: changed,
    };
  }

  async function loadAll(): Promise<void> {
    for (const problem of problems) report(undefined, problem);
    const loads: Promise<void>[] = [];
    for (const index of entries.keys()) {
      // A tick for each, so that none is charged for the synchronous work of those before it.
      await setImmediate();
      if (closing.signal.aborted) break;
      loads.push(load(index));
    }
    await Promise.all(loads);
    announced = snapshot();
    reportProblems();
  }

  const loaded = loadAll();
  return {
    ready: () => loaded,
    snapshot,
    problems: () => problems,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing.abort();
      await Promise.all(entries.map(({ runner }) => runner && disposeInTime(runner)));
    },
  };
}

function findAll({ Plugins }: Pick<Settings, 'Plugins'>): { candidates: Candidate[]; problems: PluginProblem[] } {
  const found = Plugins.Enabled ? [...new Set(Plugins.Directory)].map(findPlugins) : [];
  return {
    candidates: found.flatMap(({ candidates }) => candidates).sort(byName),
    problems: found.flatMap(({ problems }) => problems),
  };
}

const LISTS: Record<ChangedList, (snapshot: Snapshot) => unknown> = {
  tools: ({ tools }) => tools.map(({ wireName, definition }) => [wireName, definition]),
  resources: ({ resources, templates }) => [...resources, ...templates].map(({ definition }) => definition),
  prompts: ({ prompts }) => prompts.map(({ definition }) => definition),
};

function changedLists(before: Snapshot, after: Snapshot): ChangedList[] {
  const lists = Object.keys(LISTS) as ChangedList[];
  return lists.filter((list) => !isDeepStrictEqual(LISTS[list](before), LISTS[list](after)));
}

function timedOut(entry: string, limitMs: number): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_LOAD_TIMEOUT',
    message: `The plugin did not load within ${limitMs} ms; its tools join when it does`,
    hint: 'Look for an await at the top level or in register that does not settle, or raise Plugins.LoadTimeoutMs.',
    place: { file: entry },
  };
}

async function disposeInTime(runner: Runner): Promise<void> {
  await within(runner.dispose(), DISPOSE_TIMEOUT_MS);
}
