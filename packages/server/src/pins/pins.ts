import { unwatchFile, watchFile } from 'node:fs';
import { dirname } from 'node:path';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/host';
import type { Review } from '../plugins/snapshot.js';
import type { Settings } from '../settings/settings.js';
import { changedProblem } from './changed-problem.js';
import { type Change, compareDefinitions } from './compare.js';
import { createPinStore } from './pin-store.js';
import { type PinnedPlugin, pluginKeys } from './plugin-key.js';
import { isPinned, pinTools } from './tool-pin.js';

/** What `trust` did for one plugin. */
export interface TrustedPlugin {
  readonly name: string;
  readonly path?: string;
  /** How many tools are pinned now. */
  readonly tools: number;
  /** What was accepted; [] when nothing differed from the pins. */
  readonly changes: readonly Change[];
}

/** The definitions of all plugins as they were first seen or last trusted, in `mortise.lock.json` (plugins.md §5). */
export interface Pins {
  /**
   * Compares what a plugin offers with its pins, or pins it when it is seen for the first time. With `Plugins.OnChange`
   * `refuse` what differs is refused. Problems: PLUGIN_DEFINITION_CHANGED, PIN_FILE_INVALID.
   */
  review(plugin: PinnedPlugin, definition: PluginDefinition): Review;
  /** Pins what the plugins of this name offered when they were last reviewed, and writes that; [] when there is none. */
  trust(name: string): Promise<{ file: string; plugins: TrustedPlugin[]; problem?: PluginProblem }>;
  /** Calls back when the file changed while a plugin differed from it: reviews may be other ones now. */
  onTrusted(listener: () => void): void;
  /** Writes what is pinned and not yet written. */
  close(): Promise<void>;
}

export interface PinsOptions {
  /** Absolute path of `mortise.lock.json`. */
  readonly file: string;
  readonly onChange: Settings['Plugins']['OnChange'];
  /** Takes secrets out of a JSON value, before anything is kept or shown. */
  redact<T>(value: T): T;
  /** The file could not be written. */
  report(problem: PluginProblem): void;
}

/** New plugins are written together, so long after the last one was seen, in milliseconds. No answer waits for it. */
const WRITE_AFTER_MS = 500;
/** How often to look whether somebody has trusted a plugin that differs, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

const FINE: Review = { problems: [], isRefused: false };

/** @see Pins */
export function createPins({ file, onChange, redact, report }: PinsOptions): Pins {
  const store = createPinStore(file);
  const keyOf = pluginKeys(dirname(file));
  const seen = new Map<string, { plugin: PinnedPlugin; definition: PluginDefinition }>();
  const listeners = new Set<() => void>();
  let writeTimer: NodeJS.Timeout | undefined;
  let isLooking = false;

  function reviewNow(plugin: PinnedPlugin, { tools }: PluginDefinition): Review {
    const problem = store.problem();
    if (problem) return reviewOf(problem);
    const key = keyOf(plugin);
    const isFine = () => isPinned(tools, store.get(key));
    if (isFine()) return FINE;
    if (store.get(key)) {
      // Somebody may have trusted it since the file was read.
      store.reload();
      const problem = store.problem();
      if (problem) return reviewOf(problem);
      if (isFine()) return FINE;
    }
    const pinned = store.get(key);
    const makePins = () => pinTools(tools, redact);
    if (pinned) return reviewOf(changedProblem(plugin, compareDefinitions(pinned, makePins()), file));
    store.add(key, makePins);
    writeTimer = writeTimer?.refresh() ?? setTimeout(write, WRITE_AFTER_MS).unref();
    return FINE;
  }

  function reviewOf(problem: PluginProblem): Review {
    const isRefused = onChange === 'refuse';
    return { problems: [{ ...problem, severity: isRefused ? 'error' : 'warning' }], isRefused };
  }

  async function write(): Promise<void> {
    clearTimeout(writeTimer);
    writeTimer = undefined;
    const problem = await store.flush();
    if (problem) report(problem);
  }

  function look(): void {
    store.reload();
    for (const listener of listeners) listener();
  }

  function lookForTrust(): void {
    if (isLooking) return;
    isLooking = true;
    watchFile(file, { persistent: false, interval: LOOK_EVERY_MS }, look);
  }

  return {
    review(plugin, definition) {
      const review = reviewNow(plugin, definition);
      seen.set(keyOf(plugin), { plugin, definition });
      if (review !== FINE) lookForTrust();
      return review;
    },
    async trust(name) {
      const named = [...seen].filter(([, { plugin }]) => plugin.name === name);
      const plugins = named.map(([key, { plugin, definition }]): TrustedPlugin => {
        const { path } = plugin;
        const [pinned, current] = [store.get(key), pinTools(definition.tools, redact)];
        const changes = compareDefinitions(pinned ?? current, current);
        if (changes.length > 0) store.set(key, current);
        return { name, ...(path !== undefined && { path }), tools: current.size, changes };
      });
      const problem = store.problem() ?? (await store.flush());
      return { file, plugins, ...(problem && { problem }) };
    },
    onTrusted: (listener) => void listeners.add(listener),
    async close() {
      unwatchFile(file, look);
      await write();
    },
  };
}
