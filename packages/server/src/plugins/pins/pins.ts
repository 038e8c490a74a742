import { unwatchFile, watchFile } from 'node:fs';
import { dirname } from 'node:path';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import type { Review } from '../../core/definition-review.js';
import type { Settings } from '../../settings/settings.js';
import { type Change, compareDefinitions } from './compare.js';
import { changedProblem } from './definition-changed-problem.js';
import { type NameOwners, type NameRegistration, nameOf, nameOwners, namePinned, otherOwner } from './name-owners.js';
import type { AllPins } from './pin-file.js';
import { createPinStore } from './pin-store.js';
import { type PinnedPlugin, pluginKeys } from './plugin-key.js';
import {
  arePinned,
  FILE_LABEL,
  hashOfPins,
  isWhole,
  type Pinnable,
  type PluginPins,
  pin,
  pinnablesOf,
} from './plugin-pins.js';

/** What `trust` did for one plugin. */
export interface TrustedPlugin {
  readonly name: string;
  readonly path?: string;
  /** How many tools are pinned now. */
  readonly tools: number;
  /** What was accepted; [] when nothing differed from the pins. */
  readonly changes: readonly Change[];
}

/** What `trust` did. */
export interface TrustedPlugins {
  readonly file: string;
  readonly plugins: TrustedPlugin[];
  /** Why it is not written. */
  readonly problem?: PluginProblem;
}

/**
 * The definitions of all plugins as they were first seen or last trusted, in `mortise.lock.json`
 * (docs/spec/plugins.md#pins).
 */
export interface Pins {
  /**
   * Compares a plugin's definition with its pins, or pins it if it is seen for the first time. With `Plugins.OnChange`
   * `refuse` a changed definition is refused. A name that is pinned to another plugin is withheld, whatever that setting says.
   * Problems: PLUGIN_DEFINITION_CHANGED, NAME_PINNED, PIN_FILE_INVALID.
   */
  review(plugin: PinnedPlugin, definition: PluginDefinition): Review;
  /**
   * Pins the definitions that the plugins of this name had at their last review, and writes them; [] if there are none.
   * @param sha256 only a definition with this hash
   */
  trust(name: string, sha256?: string): Promise<TrustedPlugins>;
  /** What the plugin had when it was last pinned, by its labels; [] if nothing is pinned. */
  labelsOf(plugin: PinnedPlugin): readonly string[];
  /** All plugins have loaded: from now on a new plugin owns no name that another one has. */
  settle(): void;
  /** Calls back when the file changed while a plugin differed from it: reviews may be other ones now. */
  onTrusted(listener: () => void): void;
  /** Writes pins that are not yet written. */
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
  /** The exact command that accepts a plugin. @param name quoted for a shell where it must be */
  trustCommand?(name: string): string;
}

/** New plugins are written together, so long after the last one was seen, in milliseconds. No answer waits for it. */
const WRITE_AFTER_MS = 500;
/** How often to check whether the user has trusted a changed plugin, in milliseconds. */
const POLL_MS = 1_000;

const DEFAULT_COMMAND = (name: string) => `mortise trust ${name}`;

const FINE: Review = { problems: [], isBlocked: false };

/** @see Pins */
export function createPins({ file, onChange, redact, report, trustCommand = DEFAULT_COMMAND }: PinsOptions): Pins {
  const store = createPinStore(file);
  const keyOf = pluginKeys(dirname(file));
  const folder = dirname(file);
  const seen = new Map<string, { plugin: PinnedPlugin; definition: PluginDefinition }>();
  let owners: { of: AllPins; names: NameOwners } | undefined;
  /** Plugins that are seen for the first time while plugins load count as simultaneous: they own no name until all have loaded. */
  let isSettled = false;
  const fresh = new Set<string>();
  const listeners = new Set<() => void>();
  let writeTimer: NodeJS.Timeout | undefined;
  let isLooking = false;

  /** The entries of a plugin's definition, and its file. */
  function pinnables(plugin: PinnedPlugin, definition: PluginDefinition): Pinnable[] {
    const { name, path, entry = path } = plugin;
    const file = entry === undefined ? keyOf(plugin) : keyOf({ name, path: entry });
    return pinnablesOf(definition, file);
  }

  function ownersNow(): NameOwners {
    const of = isSettled ? store.all() : store.storedPins();
    if (owners?.of !== of)
      owners = { of, names: nameOwners(isSettled ? of : new Map([...of].filter(([key]) => !fresh.has(key)))) };
    return owners.names;
  }

  /** The names among `provided` that belong to another plugin by the pins. */
  function registrationsOf(plugin: PinnedPlugin, provided: readonly Pinnable[]): NameRegistration[] {
    const key = keyOf(plugin);
    const names = ownersNow();
    const isMounted = (owner: string) => seen.has(owner);
    const sha256 = () => hashOfPins(pin(provided, redact));
    return provided.flatMap((item) => {
      const owner = otherOwner(names, key, item);
      if (owner === undefined) return [];
      return { plugin, key, owner, label: item.label, folder, isMounted, trustCommand, sha256 };
    });
  }

  function reviewNow(plugin: PinnedPlugin, definition: PluginDefinition): Review {
    const problem = store.problem();
    if (problem) return reviewOf([problem]);
    const key = keyOf(plugin);
    const provided = pinnables(plugin, definition);
    const isWholeDefinition = !definition.problems.some(({ code }) => code === 'SERVER_LIST_FAILED');
    let review = compare(plugin, provided, isWholeDefinition);
    if (review !== FINE && store.get(key)) {
      // Someone may have trusted it since the file was read.
      const isReadAgain = store.reload();
      const problem = store.problem();
      if (problem) return reviewOf([problem]);
      if (isReadAgain) review = compare(plugin, provided, isWholeDefinition);
    }
    return review;
  }

  /** @param isWholeDefinition false where a list could not be read: that is not pinned, for the rest of it would look like a change */
  function compare(plugin: PinnedPlugin, provided: readonly Pinnable[], isWholeDefinition: boolean): Review {
    const key = keyOf(plugin);
    const registrations = registrationsOf(plugin, provided);
    const withheld = new Set(registrations.map(({ label }) => label));
    const own = withheld.size === 0 ? provided : provided.filter(({ label }) => !withheld.has(label));
    const pinned = store.get(key);
    const isSame = pinned === undefined || arePinned(own, pinned);
    const changed = isSame ? undefined : changedOf(plugin, pinned, own, provided);
    const isPinnable = own.length > 1 && isWholeDefinition;
    if (!changed && (pinned ? !isWhole(pinned) : isPinnable)) {
      if (!pinned) fresh.add(key);
      store.add(key, () => pin(own, redact));
      writeTimer = writeTimer?.refresh() ?? setTimeout(write, WRITE_AFTER_MS).unref();
    }
    if (registrations.length === 0) return changed ? reviewOf([changed]) : FINE;
    const review = changed ? reviewOf([changed]) : FINE;
    return { ...review, problems: [...registrations.map(namePinned), ...review.problems], withheld };
  }

  function changedOf(
    plugin: PinnedPlugin,
    pinned: PluginPins,
    own: readonly Pinnable[],
    provided: readonly Pinnable[],
  ): PluginProblem {
    const current = pin(own, redact);
    const sha256 = hashOfPins(own === provided ? current : pin(provided, redact));
    const changes = compareDefinitions(pinned, current);
    return changedProblem(plugin, { pinned, current, changes, sha256 }, file);
  }

  function reviewOf(problems: readonly PluginProblem[]): Review {
    const isBlocked = onChange === 'refuse';
    const severity = isBlocked ? 'error' : 'warning';
    return { problems: problems.map((problem) => ({ ...problem, severity })), isBlocked };
  }

  /** Removes the names that a plugin registers from the pins of all others, because the user has transferred them. */
  function recordNames(key: string, registrations: readonly NameRegistration[]): void {
    if (registrations.length === 0) return;
    const names = new Set(registrations.map(({ label }) => nameOf(label)));
    for (const [other, pins] of store.all()) {
      if (other === key) continue;
      const remaining = [...pins].filter(([label]) => label === FILE_LABEL || !names.has(nameOf(label)));
      if (remaining.length < pins.size) store.set(other, new Map(remaining));
    }
  }

  async function write(): Promise<void> {
    clearTimeout(writeTimer);
    writeTimer = undefined;
    const problem = await store.flush();
    if (problem) report(problem);
  }

  function poll(): void {
    store.reload();
    for (const listener of listeners) listener();
  }

  function pollTrust(): void {
    if (isLooking) return;
    isLooking = true;
    watchFile(file, { persistent: false, interval: POLL_MS }, poll);
  }

  function review(plugin: PinnedPlugin, definition: PluginDefinition): Review {
    const review = reviewNow(plugin, definition);
    seen.set(keyOf(plugin), { plugin, definition });
    if (review !== FINE) pollTrust();
    return review;
  }

  return {
    review,
    async trust(name, sha256) {
      const named = [...seen].filter(
        ([, { plugin, definition }]) =>
          plugin.name === name &&
          (sha256 === undefined || hashOfPins(pin(pinnables(plugin, definition), redact)) === sha256),
      );
      const plugins = named.map(([key, { plugin, definition }]): TrustedPlugin => {
        const { path } = plugin;
        const provided = pinnables(plugin, definition);
        const [pinned, current] = [store.get(key), pin(provided, redact)];
        const registrations = registrationsOf(plugin, provided);
        const claimed = new Set(registrations.map(({ label }) => label));
        const own = new Map([...current].filter(([label]) => !claimed.has(label)));
        const changes = compareDefinitions(pinned ?? own, current);
        if (changes.length > 0 || registrations.length > 0) store.set(key, current);
        recordNames(key, registrations);
        fresh.delete(key);
        return { name, ...(path !== undefined && { path }), tools: definition.tools.length, changes };
      });
      const problem = store.problem() ?? (await store.flush());
      return { file, plugins, ...(problem && { problem }) };
    },
    labelsOf: (plugin) => [...(store.get(keyOf(plugin))?.keys() ?? [])].filter((label) => label !== FILE_LABEL),
    settle() {
      isSettled = true;
    },
    onTrusted: (listener) => void listeners.add(listener),
    async close() {
      unwatchFile(file, poll);
      await write();
    },
  };
}
