import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedSettings, Settings } from '../../settings/settings.js';
import { confine } from './confinement.js';
import { byName, type FoundPlugins, findPlugins } from './discover-plugins.js';
import { packageCandidates } from './package-candidates.js';

type Configured = Pick<LoadedSettings, 'settings' | 'file' | 'baseDir' | 'packageOrigins'>;

/** Finds the plugins of all folders in `Plugins.Directory`, sorted by name, without loading them. Never throws. */
export function pluginsOfFolders(
  { Enabled, Directory }: Settings['Plugins'],
  folders: readonly string[] = Directory,
): FoundPlugins {
  const found = Enabled ? [...new Set(folders)].map((folder) => findPlugins(folder)) : [];
  return {
    candidates: found.flatMap(({ candidates }) => candidates).sort(byName),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/**
 * Finds the plugins of the plugins folders and of `Plugins.Packages`, sorted by name. A package that is also in a
 * plugins folder is one plugin. Never throws.
 */
export function configuredPlugins(configured: Configured): FoundPlugins {
  const { candidates, problems } = pluginsOfFolders(configured.settings.Plugins, pluginFolders(configured));
  const packages = configured.settings.Plugins.Enabled ? packageCandidates(configured) : [];
  const paths = new Set(packages.map(({ path }) => path));
  const others = candidates.filter(({ path }) => !paths.has(path));
  return confine({ candidates: [...others, ...packages].sort(byName), problems }, configured);
}

/**
 * Returns the plugins folders. The default folder is left out if it does not exist and the settings have packages or
 * mounted servers.
 */
export function pluginFolders({ settings: { Plugins }, baseDir }: Pick<Configured, 'settings' | 'baseDir'>): string[] {
  const hasOthers = Plugins.Packages.length > 0 || Object.keys(Plugins.McpServers).length > 0;
  const optionalFolder = hasOthers ? join(baseDir, 'plugins') : undefined;
  return [...new Set(Plugins.Directory)].filter((folder) => folder !== optionalFolder || existsSync(folder));
}
