import type { PluginDefinition } from '@mortise/plugin/runtime';
import type { Review } from '../../core/definition-review.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import { type CatalogEntry, isDisabled, pinnedAs } from './catalog-entry.js';
import type { CatalogOptions } from './catalog-options.js';

/** Reviews what plugins offer: no one sees it before that. */
export class EntryReview {
  readonly #settings: CatalogOptions['settings']['Plugins'];
  readonly #comparePins: CatalogOptions['comparePins'];

  constructor({ settings, comparePins }: Pick<CatalogOptions, 'settings' | 'comparePins'>) {
    this.#settings = settings.Plugins;
    this.#comparePins = comparePins;
  }

  /** Whether nothing runs that has not been reviewed. */
  get isStrict(): boolean {
    return this.#settings.OnChange === 'refuse';
  }

  /** Takes over the definition that the plugin has now. */
  update(entry: CatalogEntry): void {
    const { runner } = entry;
    if (!runner) return;
    const { definition } = runner;
    entry.definition = definition;
    entry.review = this.#review(entry, definition);
  }

  /** Without `refuse` nothing is, and a review of many plugins takes its time. */
  isBlocked(entry: CatalogEntry, definition: PluginDefinition): boolean {
    return this.isStrict && (this.#review(entry, definition)?.isBlocked ?? false);
  }

  #review({ candidate }: CatalogEntry, definition: PluginDefinition): Review | undefined {
    const isUnpinned = traitsOf(candidate).isBundled || isDisabled(definition);
    return isUnpinned ? undefined : this.#comparePins?.(pinnedAs(candidate), definition);
  }
}
