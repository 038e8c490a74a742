import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { traitsOf } from '../core/plugin-kinds.js';
import { foldersBelow, rehash } from '../plugin-loading/fingerprint.js';
import type { ListInputs } from '../plugin-loading/tool-list-cache.js';
import { tryOs } from '../util/ignore-os-errors.js';
import { type CatalogEntry, hasChanged } from './catalog-entry.js';

/** The plugins folders, as they were before the plugins were found. */
export interface FoundFolders {
  readonly folders: readonly string[];
  readonly stateHash: string;
}

export const stateOfFolders = (folders: readonly string[]): FoundFolders => ({
  folders,
  stateHash: rehash({}, folders),
});

/** A list that depends on more than this is not cached: to look at each of them would take longer than to read the plugins. */
const MAX_PATHS = 20_000;
/** So many plugins are looked at before the event loop continues. */
const SLICE = 50;

/**
 * What the lists were made of, if every definition came from the cache and nothing has changed since.
 * @param others further files that they depend on
 */
export async function listInputs(
  entries: readonly CatalogEntry[],
  found: FoundFolders,
  others: readonly string[],
): Promise<ListInputs | undefined> {
  const plugins = entries.filter(({ candidate }) => !traitsOf(candidate).isBundled);
  if (!plugins.every(({ isCached, failure }) => isCached && !failure)) return undefined;
  const paths = [
    ...[...others, ...found.folders, ...found.folders.flatMap(foldersIn)],
    ...plugins.flatMap(({ candidate, fingerprint }) => [...foldersBelow(candidate.root), ...fingerprint!.files]),
  ];
  if (paths.length > MAX_PATHS) return undefined;
  // First the state that is remembered, then whether it is that of what was read: so no change in between is missed.
  const stateHash = rehash({}, paths);
  for (const [index, entry] of plugins.entries()) {
    if (index % SLICE === 0) await nextTurn();
    if (hasChanged(entry)) return undefined;
  }
  return stateOfFolders(found.folders).stateHash === found.stateHash ? { paths, stateHash } : undefined;
}

/** Folders that may become plugins when something is put into them. */
function foldersIn(folder: string): string[] {
  const entries = tryOs(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => !entry.isFile()).map(({ name }) => join(folder, name));
}
