import { type CatalogEntry, hasFailed } from './catalog-entry.js';

/** The names of the plugins that a reload has changed. */
export interface ReloadReport {
  added: string[];
  changed: string[];
  removed: string[];
  /**
   * Plugins that did not load; the reason is in the plugin's problems. A plugin that had loaded before keeps its old
   * code.
   */
  failed: string[];
}

interface Reload {
  readonly toLoad: readonly CatalogEntry[];
  /** The entries of `toLoad` that had a runner before the reload. */
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
