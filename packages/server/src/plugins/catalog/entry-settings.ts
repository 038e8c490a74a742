import type { PluginProblem, SettingsAnswer, SettingsRequest } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { isOfSettings } from '../../settings/setting-owner.js';
import type { CatalogEntry } from './catalog-entry.js';
import type { PluginSettingsStore } from './plugin-settings-store.js';

/**
 * Answers a plugin's request for its settings. Returns a problem if the request names the settings by a name that
 * another plugin has.
 */
export function settingsOf(
  store: PluginSettingsStore,
  entries: readonly CatalogEntry[],
  entry: CatalogEntry,
  request: SettingsRequest,
): SettingsAnswer {
  const owner = request.name === undefined ? undefined : ownerOfName(entries, entry, request.name);
  if (owner) return { problem: nameTaken(request.name!, entry.candidate, owner) };
  entry.settingsName = request.name;
  return store.give(entry.candidate, request);
}

/**
 * Reads the settings again. If a plugin's settings have changed, sets `forceReload`, so that the plugin is loaded
 * although its files are unchanged.
 */
export async function markChangedSettingsForReload(
  store: PluginSettingsStore,
  entries: readonly CatalogEntry[],
): Promise<void> {
  const isConfigChanged = await store.refresh();
  for (const entry of entries) {
    const { bundled, mounted } = entry.candidate;
    if (!bundled && !mounted) entry.forceReload ||= isConfigChanged || hasChangedSettings(store, entry);
  }
}

function hasChangedSettings(store: PluginSettingsStore, { candidate, definition }: CatalogEntry): boolean {
  return store.hasChanged(candidate, definition?.problems.some(isOfSettings) ?? false);
}

/** Finds another plugin with this name, given by its file or by `definePlugin`. */
function ownerOfName(entries: readonly CatalogEntry[], entry: CatalogEntry, name: string): CatalogEntry | undefined {
  const isSame = (other: string | undefined) => other?.toLowerCase() === name.toLowerCase();
  return entries.find((other) => other !== entry && (isSame(other.candidate.name) || isSame(other.settingsName)));
}

function nameTaken(name: string, { entry, path }: Candidate, owner: CatalogEntry): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_NAME_DUPLICATE',
    message: `definePlugin was given the name '${name}', which ${owner.candidate.path} has already.`,
    hint: 'Give one of the two another name.',
    location: { file: entry ?? path },
  };
}
