import type { PluginDefinition } from '@mortise/plugin/runtime';
import type { Review } from '../../core/definition-review.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import { type CatalogEntry, isDisabled, pinnedAs } from './catalog-entry.js';
import type { CatalogOptions } from './catalog-options.js';

/** Compares definitions with the pins of their plugins before they are published. */
export class EntryReview {
  readonly #settings: CatalogOptions['settings']['Plugins'];
  readonly #comparePins: CatalogOptions['comparePins'];

  constructor({ settings, comparePins }: Pick<CatalogOptions, 'settings' | 'comparePins'>) {
    this.#settings = settings.Plugins;
    this.#comparePins = comparePins;
  }

  /** True if a changed definition is blocked until it is trusted (`Plugins.OnChange` is `refuse`). */
  get isStrict(): boolean {
    return this.#settings.OnChange === 'refuse';
  }

  /** Takes over the runner's current definition and reviews it. */
  update(entry: CatalogEntry): void {
    const { runner } = entry;
    if (!runner) return;
    const { definition } = runner;
    entry.definition = definition;
    entry.review = this.#review(entry, definition);
  }

  /**
   * True if the plugin would be blocked with this definition. A review takes time, so there is none unless it can
   * block.
   */
  isBlocked(entry: CatalogEntry, definition: PluginDefinition): boolean {
    return this.isStrict && (this.#review(entry, definition)?.isBlocked ?? false);
  }

  #review({ candidate }: CatalogEntry, definition: PluginDefinition): Review | undefined {
    const isUnpinned = traitsOf(candidate).isBundled || isDisabled(definition);
    return isUnpinned ? undefined : this.#comparePins?.(pinnedAs(candidate), definition);
  }
}
