import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedSettings, Settings } from '../../settings/settings.js';
import { byName, type FoundPlugins, findPlugins } from './discover-plugins.js';
import { packageCandidates } from './package-candidates.js';

type Configured = Pick<LoadedSettings, 'settings' | 'file' | 'baseDir' | 'packageOrigins'>;

/** The plugins of the folders of `Plugins.Directory`, in the order of names, without loading anything. Never throws. */
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

/** The same with those of `Plugins.Packages`. A package that is in a plugins folder too is one plugin. */
export function configuredPlugins(configured: Configured): FoundPlugins {
  const { candidates, problems } = pluginsOfFolders(configured.settings.Plugins, pluginFolders(configured));
  const packages = configured.settings.Plugins.Enabled ? packageCandidates(configured) : [];
  const paths = new Set(packages.map(({ path }) => path));
  return { candidates: [...candidates.filter(({ path }) => !paths.has(path)), ...packages].sort(byName), problems };
}

/** The plugins folders. Where packages or servers are named, the default folder need not exist. */
export function pluginFolders({ settings: { Plugins }, baseDir }: Pick<Configured, 'settings' | 'baseDir'>): string[] {
  const hasOthers = Plugins.Packages.length > 0 || Object.keys(Plugins.McpServers).length > 0;
  const optional = hasOthers ? join(baseDir, 'plugins') : undefined;
  return [...new Set(Plugins.Directory)].filter((folder) => folder !== optional || existsSync(folder));
}
