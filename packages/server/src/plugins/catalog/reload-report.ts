import { type CatalogEntry, hasFailed } from './catalog-entry.js';

/** What a reload did, by plugin name. */
export interface ReloadReport {
  added: string[];
  changed: string[];
  removed: string[];
  /** The old code stays where there was some; the reason is in the plugin's problems. */
  failed: string[];
}

interface Reload {
  /** What was loaded. */
  readonly toLoad: readonly CatalogEntry[];
  /** Those of them that had loaded before. */
  readonly before: ReadonlySet<CatalogEntry>;
  readonly deleted: readonly CatalogEntry[];
}

export function reloadReport({ toLoad, before, deleted }: Reload): ReloadReport {
  const names = (list: readonly CatalogEntry[]) => list.map(({ candidate }) => candidate.name);
  return {
    added: names(toLoad.filter((entry) => !before.has(entry) && !hasFailed(entry))),
    changed: names(toLoad.filter((entry) => before.has(entry) && !hasFailed(entry))),
    removed: names(deleted),
    failed: names(toLoad.filter(hasFailed)),
  };
}
