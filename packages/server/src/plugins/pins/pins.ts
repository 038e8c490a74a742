import { unwatchFile, watchFile } from 'node:fs';
import { dirname } from 'node:path';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import type { Review } from '../../core/definition-review.js';
import type { Settings } from '../../settings/settings.js';
import { type Change, compareDefinitions } from './compare.js';
import { changedProblem } from './definition-changed-problem.js';
import { type NameOwners, type NameRegistration, nameOf, nameOwners, namePinned, otherOwner } from './name-owners.js';
import type { AllPins } from './pin-file.js';
import { PinStore } from './pin-store.js';
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

const FINE: Review = { problems: [], isBlocked: false };

/** What the last review of a plugin was of. */
interface Seen {
  readonly plugin: PinnedPlugin;
  readonly definition: PluginDefinition;
}

/**
 * The definitions of all plugins as they were first seen or last trusted, in `mortise.lock.json`
 * (docs/spec/plugin-definitions.md#pins).
 */
export class Pins {
  readonly #options: PinsOptions;
  readonly #trustCommand: (name: string) => string;
  readonly #folder: string;
  readonly #store: PinStore;
  readonly #keyOf: ReturnType<typeof pluginKeys>;
  readonly #seen = new Map<string, Seen>();
  #owners: { readonly of: AllPins; readonly names: NameOwners } | undefined;
  /** Plugins that are seen for the first time while plugins load count as simultaneous: they own no name until all have loaded. */
  #isSettled = false;
  readonly #fresh = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #writeTimer: NodeJS.Timeout | undefined;
  #isPolling = false;

  constructor(options: PinsOptions) {
    this.#options = options;
    this.#trustCommand = options.trustCommand ?? ((name) => `mortise trust ${name}`);
    this.#folder = dirname(options.file);
    this.#store = new PinStore(options.file);
    this.#keyOf = pluginKeys(this.#folder);
  }

  /**
   * Compares a plugin's definition with its pins, or pins it if it is seen for the first time. With `Plugins.OnChange`
   * `refuse` a changed definition is refused. A name that is pinned to another plugin is withheld, whatever that setting says.
   * Problems: PLUGIN_DEFINITION_CHANGED, NAME_PINNED, PIN_FILE_INVALID.
   */
  review(plugin: PinnedPlugin, definition: PluginDefinition): Review {
    const review = this.#reviewNow(plugin, definition);
    this.#seen.set(this.#keyOf(plugin), { plugin, definition });
    if (review !== FINE) this.#pollTrust();
    return review;
  }

  /**
   * Pins the definitions that the plugins of this name had at their last review, and writes them; [] if there are none.
   * @param sha256 only a definition with this hash
   */
  async trust(name: string, sha256?: string): Promise<TrustedPlugins> {
    const isMeant = (seen: Seen) =>
      seen.plugin.name === name &&
      (sha256 === undefined || hashOfPins(this.#pin(this.#pinnables(seen.plugin, seen.definition))) === sha256);
    const plugins = [...this.#seen].filter(([, seen]) => isMeant(seen)).map(([key, seen]) => this.#accept(key, seen));
    const problem = this.#store.problem() ?? (await this.#store.flush());
    return { file: this.#options.file, plugins, ...(problem && { problem }) };
  }

  /** What the plugin had when it was last pinned, by its labels; [] if nothing is pinned. */
  labelsOf(plugin: PinnedPlugin): readonly string[] {
    return [...(this.#store.get(this.#keyOf(plugin))?.keys() ?? [])].filter((label) => label !== FILE_LABEL);
  }

  /** All plugins have loaded: from now on a new plugin owns no name that another one has. */
  settle(): void {
    this.#isSettled = true;
  }

  /** Calls back when the file changed while a plugin differed from it: reviews may be other ones now. */
  onTrusted(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Writes pins that are not yet written. */
  async close(): Promise<void> {
    unwatchFile(this.#options.file, this.#poll);
    await this.#write();
  }

  #pin(pinnables: readonly Pinnable[]): PluginPins {
    return pin(pinnables, this.#options.redact);
  }

  /** The entries of a plugin's definition, and its file. */
  #pinnables(plugin: PinnedPlugin, definition: PluginDefinition): Pinnable[] {
    const { name, path, entry = path } = plugin;
    return pinnablesOf(definition, this.#keyOf(entry === undefined ? plugin : { name, path: entry }));
  }

  #reviewNow(plugin: PinnedPlugin, definition: PluginDefinition): Review {
    const problem = this.#store.problem();
    if (problem) return this.#reviewOf([problem]);
    const provided = this.#pinnables(plugin, definition);
    const isWholeDefinition = !definition.problems.some(({ code }) => code === 'SERVER_LIST_FAILED');
    const review = this.#compare(plugin, provided, isWholeDefinition);
    if (review === FINE || !this.#store.get(this.#keyOf(plugin))) return review;
    // Someone may have trusted it since the file was read.
    const isReadAgain = this.#store.reload();
    const newProblem = this.#store.problem();
    if (newProblem) return this.#reviewOf([newProblem]);
    return isReadAgain ? this.#compare(plugin, provided, isWholeDefinition) : review;
  }

  /** @param isWholeDefinition false where a list could not be read: that is not pinned, for the rest of it would look like a change */
  #compare(plugin: PinnedPlugin, provided: readonly Pinnable[], isWholeDefinition: boolean): Review {
    const key = this.#keyOf(plugin);
    const registrations = this.#registrationsOf(plugin, provided);
    const withheld = new Set(registrations.map(({ label }) => label));
    const own = withheld.size === 0 ? provided : provided.filter(({ label }) => !withheld.has(label));
    const pinned = this.#store.get(key);
    const isSame = pinned === undefined || arePinned(own, pinned);
    const changed = isSame ? undefined : this.#changedOf(plugin, pinned, own, provided);
    const isPinnable = own.length > 1 && isWholeDefinition;
    if (!changed && (pinned ? !isWhole(pinned) : isPinnable)) {
      if (!pinned) this.#fresh.add(key);
      this.#store.add(key, () => this.#pin(own));
      this.#writeTimer = this.#writeTimer?.refresh() ?? setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
    }
    const review = changed ? this.#reviewOf([changed]) : FINE;
    if (registrations.length === 0) return review;
    return { ...review, problems: [...registrations.map(namePinned), ...review.problems], withheld };
  }

  /** The names among `provided` that belong to another plugin by the pins. */
  #registrationsOf(plugin: PinnedPlugin, provided: readonly Pinnable[]): NameRegistration[] {
    const key = this.#keyOf(plugin);
    const names = this.#nameOwners();
    const common = {
      ...{ plugin, key, folder: this.#folder, trustCommand: this.#trustCommand },
      isMounted: (owner: string) => this.#seen.has(owner),
      sha256: () => hashOfPins(this.#pin(provided)),
    };
    return provided.flatMap((item) => {
      const owner = otherOwner(names, key, item);
      return owner === undefined ? [] : [{ ...common, owner, label: item.label }];
    });
  }

  #nameOwners(): NameOwners {
    const of = this.#isSettled ? this.#store.all() : this.#store.storedPins();
    if (this.#owners?.of === of) return this.#owners.names;
    const owning = this.#isSettled ? of : new Map([...of].filter(([key]) => !this.#fresh.has(key)));
    this.#owners = { of, names: nameOwners(owning) };
    return this.#owners.names;
  }

  #changedOf(
    plugin: PinnedPlugin,
    pinned: PluginPins,
    own: readonly Pinnable[],
    provided: readonly Pinnable[],
  ): PluginProblem {
    const current = this.#pin(own);
    const sha256 = hashOfPins(own === provided ? current : this.#pin(provided));
    const changes = compareDefinitions(pinned, current);
    return changedProblem(plugin, { pinned, current, changes, sha256 }, this.#options.file);
  }

  #reviewOf(problems: readonly PluginProblem[]): Review {
    const isBlocked = this.#options.onChange === 'refuse';
    const severity = isBlocked ? 'error' : 'warning';
    return { problems: problems.map((problem) => ({ ...problem, severity })), isBlocked };
  }

  #accept(key: string, { plugin, definition }: Seen): TrustedPlugin {
    const { name, path } = plugin;
    const provided = this.#pinnables(plugin, definition);
    const [pinned, current] = [this.#store.get(key), this.#pin(provided)];
    const registrations = this.#registrationsOf(plugin, provided);
    const claimed = new Set(registrations.map(({ label }) => label));
    const own = new Map([...current].filter(([label]) => !claimed.has(label)));
    const changes = compareDefinitions(pinned ?? own, current);
    if (changes.length > 0 || registrations.length > 0) this.#store.set(key, current);
    this.#transferNames(key, registrations);
    this.#fresh.delete(key);
    return { name, ...(path !== undefined && { path }), tools: definition.tools.length, changes };
  }

  /** Removes the names that a plugin registers from the pins of all others, because the user has transferred them. */
  #transferNames(key: string, registrations: readonly NameRegistration[]): void {
    if (registrations.length === 0) return;
    const names = new Set(registrations.map(({ label }) => nameOf(label)));
    for (const [other, pins] of this.#store.all()) {
      if (other === key) continue;
      const remaining = [...pins].filter(([label]) => label === FILE_LABEL || !names.has(nameOf(label)));
      if (remaining.length < pins.size) this.#store.set(other, new Map(remaining));
    }
  }

  async #write(): Promise<void> {
    clearTimeout(this.#writeTimer);
    this.#writeTimer = undefined;
    const problem = await this.#store.flush();
    if (problem) this.#options.report(problem);
  }

  #pollTrust(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    watchFile(this.#options.file, { persistent: false, interval: POLL_MS }, this.#poll);
  }

  readonly #poll = (): void => {
    this.#store.reload();
    for (const listener of this.#listeners) listener();
  };
}
