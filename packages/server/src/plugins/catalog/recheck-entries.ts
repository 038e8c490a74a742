import { traitsOf } from '../../core/plugin-kinds.js';
import { recheckSchemas, sourceOf } from '../load/check-definition.js';
import type { CatalogEntry } from './catalog-entry.js';
import type { EntryReview } from './entry-review.js';

/** Checks the schemas of remembered definitions, which nothing waited for. @param onBad called after each that is refused now */
export async function recheckEntries(
  entries: readonly CatalogEntry[],
  reviews: EntryReview,
  onBad: () => void,
): Promise<void> {
  for (const entry of entries) {
    const { definition, candidate } = entry;
    if (!definition || traitsOf(candidate).isBundled) continue;
    const isBad = await recheckSchemas(definition, sourceOf(candidate));
    if (!isBad || entry.definition !== definition) continue;
    entry.checked = undefined;
    reviews.update(entry);
    onBad();
  }
}
