import { unwatchFile, watchFile } from 'node:fs';
import { dirname } from 'node:path';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import type { Review } from '../../core/definition-review.js';
import type { Settings } from '../../settings/settings.js';
import { type Change, compareDefinitions } from './compare.js';
import { changedProblem, quoted } from './definition-changed-problem.js';
import { type HiddenEntry, hiddenEntries, hiddenTextRefused, withoutHidden } from './hidden-entries.js';
import { type NameConflict, type NameOwners, nameOf, nameOwners, namePinned, otherOwner } from './name-owners.js';
import type { AllPins } from './pin-file.js';
import { PinStore } from './pin-store.js';
import { type PinnedPlugin, pluginKeys } from './plugin-key.js';
import {
  arePinned,
  hashOfPins,
  isOfEarlierVersion,
  isOfPlugin,
  type Pinnable,
  type PluginPins,
  pin,
  pinnablesOf,
} from './plugin-pins.js';

export interface TrustedPlugin {
  readonly name: string;
  readonly path?: string;
  /** Number of tools that are pinned now. */
  readonly tools: number;
  /** The accepted changes; [] if nothing differed from the pins. */
  readonly changes: readonly Change[];
}

export interface TrustedPlugins {
  /** The path of the pin file. */
  readonly file: string;
  readonly plugins: TrustedPlugin[];
  /** Set if the pin file could not be read or written, so that nothing is saved. */
  readonly problem?: PluginProblem;
}

export interface PinsOptions {
  /** Absolute path of `mortise.lock.json`. */
  readonly file: string;
  readonly onChange: Settings['Plugins']['OnChange'];
  /** Removes secrets from a JSON value. Called before anything is stored or shown. */
  redact<T>(value: T): T;
  /** Called when pins of new plugins could not be written. */
  report(problem: PluginProblem): void;
  /** Returns the exact command that trusts a plugin. @param name quoted for a shell if necessary */
  trustCommand?(name: string): string;
}

/** Pins of new plugins are written together, this long after the last new plugin. No answer waits for it. */
const WRITE_AFTER_MS = 500;
/** Interval at which the pin file is checked, in case the user has trusted a changed plugin. */
const POLL_MS = 1_000;

const NO_PROBLEMS: Review = { problems: [], isBlocked: false };

/** A plugin and the definition that was last reviewed. */
interface Reviewed {
  readonly plugin: PinnedPlugin;
  readonly definition: PluginDefinition;
}

/**
 * Pins the definitions of all plugins in `mortise.lock.json` when they are first seen or trusted, and compares later
 * definitions with them (docs/spec/plugin-definitions.md#pins).
 */
export class Pins {
  readonly #options: PinsOptions;
  readonly #trustCommand: (name: string) => string;
  readonly #folder: string;
  readonly #store: PinStore;
  readonly #keyOf: ReturnType<typeof pluginKeys>;
  /** The plugins that were reviewed, by their keys in the pin file. */
  readonly #reviewed = new Map<string, Reviewed>();
  /** Caches the owners of names, together with the pins from which they were determined. */
  #owners: { readonly pins: AllPins; readonly names: NameOwners } | undefined;
  /**
   * True once all plugins have loaded. Before that, new plugins own no names, so that the order of loading does not
   * matter.
   */
  #isSettled = false;
  /** Keys of plugins that were pinned for the first time in this run. */
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
   * Compares a plugin's definition with its pins, or pins it if it is seen for the first time. If `Plugins.OnChange` is
   * `refuse`, a changed definition is blocked. A name that is pinned to another plugin is withheld, whatever the
   * setting. With `refuse` an entry with hidden text is withheld until it is trusted. Problems:
   * PLUGIN_DEFINITION_CHANGED, NAME_PINNED, HIDDEN_TEXT_REFUSED, PIN_FILE_INVALID.
   */
  review(plugin: PinnedPlugin, definition: PluginDefinition): Review {
    const review = this.#reviewNow(plugin, definition);
    this.#reviewed.set(this.#keyOf(plugin), { plugin, definition });
    if (review !== NO_PROBLEMS) this.#pollTrust();
    return review;
  }

  /**
   * Pins the definitions that plugins with this name had at their last review, and writes the pin file. `plugins` is []
   * if there is no such definition. Never rejects because of the file: see {@link TrustedPlugins.problem}.
   * @param sha256 if given, only a definition with this hash is pinned
   */
  async trust(name: string, sha256?: string): Promise<TrustedPlugins> {
    const isMeant = ({ plugin, definition }: Reviewed) =>
      plugin.name === name &&
      (sha256 === undefined || hashOfPins(this.#pin(this.#pinnables(plugin, definition))) === sha256);
    const plugins = [...this.#reviewed]
      .filter(([, reviewed]) => isMeant(reviewed))
      .map(([key, reviewed]) => this.#accept(key, reviewed));
    const problem = this.#store.problem() ?? (await this.#store.flush());
    return { file: this.#options.file, plugins, ...(problem && { problem }) };
  }

  /** Returns the labels of the tools, resources and prompts that are pinned for a plugin; [] if nothing is pinned. */
  labelsOf(plugin: PinnedPlugin): readonly string[] {
    return [...(this.#store.get(this.#keyOf(plugin))?.keys() ?? [])].filter((label) => !isOfPlugin(label));
  }

  /** Call it when all plugins have loaded. From then on the new plugins own their names, too. */
  settle(): void {
    this.#isSettled = true;
  }

  /**
   * Calls the listener when the pin file has changed after a review found a problem: a new review may have another
   * result.
   */
  onTrusted(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Writes pins that have not been written yet. */
  async close(): Promise<void> {
    unwatchFile(this.#options.file, this.#poll);
    await this.#write();
  }

  #pin(pinnables: readonly Pinnable[]): PluginPins {
    return pin(pinnables, this.#options.redact);
  }

  #pinnables(plugin: PinnedPlugin, definition: PluginDefinition): Pinnable[] {
    const { name, path, entry = path } = plugin;
    const file = this.#keyOf(entry === undefined ? plugin : { name, path: entry });
    return pinnablesOf(definition, file, plugin);
  }

  #reviewNow(plugin: PinnedPlugin, definition: PluginDefinition): Review {
    const problem = this.#store.problem();
    if (problem) return this.#reviewOf([problem]);
    const provided = this.#pinnables(plugin, definition);
    const isWholeDefinition = !definition.problems.some(({ code }) => code === 'SERVER_LIST_FAILED');
    const review = this.#compare(plugin, provided, isWholeDefinition);
    if (review === NO_PROBLEMS || !this.#store.get(this.#keyOf(plugin))) return review;
    // The user may have trusted the definition since the file was read.
    const hasFileChanged = this.#store.reload();
    const newProblem = this.#store.problem();
    if (newProblem) return this.#reviewOf([newProblem]);
    return hasFileChanged ? this.#compare(plugin, provided, isWholeDefinition) : review;
  }

  /**
   * @param isWholeDefinition false if a list could not be read. The definition is not pinned then, because the missing
   * entries would look like a change later
   */
  #compare(plugin: PinnedPlugin, provided: readonly Pinnable[], isWholeDefinition: boolean): Review {
    const key = this.#keyOf(plugin);
    const conflicts = this.#nameConflictsOf(plugin, provided);
    const pinned = this.#store.get(key);
    const hidden = this.#hiddenEntries(provided, pinned);
    const conflictLabels = new Set(conflicts.map(({ label }) => label));
    const shown = withoutHidden(provided, hidden);
    const own = conflictLabels.size === 0 ? shown : shown.filter(({ label }) => !conflictLabels.has(label));
    const isSame = pinned === undefined || arePinned(own, pinned);
    const changed = isSame ? undefined : this.#changedOf(plugin, pinned, own, provided);
    const isPinnable = own.some(({ label }) => !isOfPlugin(label)) && isWholeDefinition;
    if (!changed && (pinned ? isOfEarlierVersion(pinned, own) : isPinnable)) {
      if (!pinned) this.#fresh.add(key);
      this.#store.add(key, () => this.#pin(own));
      this.#writeTimer = this.#writeTimer?.refresh() ?? setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
    }
    const review = changed ? this.#reviewOf([changed]) : NO_PROBLEMS;
    if (conflicts.length === 0 && hidden.length === 0) return review;
    const problems = [
      ...conflicts.map(namePinned),
      ...(changed && review.isBlocked ? [] : this.#hiddenProblems(plugin, provided, hidden)),
      ...review.problems,
    ];
    return { ...review, problems, withheld: new Set([...conflictLabels, ...hidden.map(({ label }) => label)]) };
  }

  #hiddenEntries(provided: readonly Pinnable[], pinned: PluginPins | undefined): HiddenEntry[] {
    return this.#options.onChange === 'refuse' ? hiddenEntries(provided, pinned) : [];
  }

  #hiddenProblems(
    plugin: PinnedPlugin,
    provided: readonly Pinnable[],
    hidden: readonly HiddenEntry[],
  ): PluginProblem[] {
    if (hidden.length === 0) return [];
    const [pinned, current] = [this.#pin(withoutHidden(provided, hidden)), this.#pin(provided)];
    const changes = compareDefinitions(pinned, current);
    const definition = { pinned, current, changes, sha256: hashOfPins(current) };
    const place = {
      file: plugin.path ?? this.#options.file,
      command: this.#trustCommand(quoted(plugin.name)),
    };
    return hidden.map((entry) => hiddenTextRefused(entry, definition, place));
  }

  /** Returns the names in `provided` that are pinned to another plugin. */
  #nameConflictsOf(plugin: PinnedPlugin, provided: readonly Pinnable[]): NameConflict[] {
    const key = this.#keyOf(plugin);
    const names = this.#nameOwners();
    const common = {
      ...{ plugin, key, folder: this.#folder, trustCommand: this.#trustCommand },
      isMounted: (owner: string) => this.#reviewed.has(owner),
      sha256: () => hashOfPins(this.#pin(provided)),
    };
    return provided.flatMap((pinnable) => {
      const owner = otherOwner(names, key, pinnable);
      return owner === undefined ? [] : [{ ...common, owner, label: pinnable.label }];
    });
  }

  #nameOwners(): NameOwners {
    const pins = this.#isSettled ? this.#store.all() : this.#store.storedPins();
    if (this.#owners?.pins === pins) return this.#owners.names;
    const owningPins = this.#isSettled ? pins : new Map([...pins].filter(([key]) => !this.#fresh.has(key)));
    this.#owners = { pins, names: nameOwners(owningPins) };
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

  #accept(key: string, { plugin, definition }: Reviewed): TrustedPlugin {
    const { name, path } = plugin;
    const provided = this.#pinnables(plugin, definition);
    const [pinned, current] = [this.#store.get(key), this.#pin(provided)];
    const conflicts = this.#nameConflictsOf(plugin, provided);
    const conflictLabels = new Set(conflicts.map(({ label }) => label));
    const shown = withoutHidden(provided, this.#hiddenEntries(provided, pinned));
    const own = new Map([...this.#pin(shown)].filter(([label]) => !conflictLabels.has(label)));
    const changes = compareDefinitions(pinned ?? own, current);
    if (changes.length > 0 || conflicts.length > 0) this.#store.set(key, current);
    this.#transferNames(key, conflicts);
    this.#fresh.delete(key);
    return { name, ...(path !== undefined && { path }), tools: definition.tools.length, changes };
  }

  /** Removes the names in conflict from the pins of all other plugins, because the user has given them to this one. */
  #transferNames(key: string, conflicts: readonly NameConflict[]): void {
    if (conflicts.length === 0) return;
    const names = new Set(conflicts.map(({ label }) => nameOf(label)));
    for (const [other, pins] of this.#store.all()) {
      if (other === key) continue;
      const remaining = [...pins].filter(([label]) => isOfPlugin(label) || !names.has(nameOf(label)));
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
