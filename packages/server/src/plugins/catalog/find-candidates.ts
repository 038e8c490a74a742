import type { Candidate } from '../../core/plugin-candidate.js';
import type { Settings } from '../../settings/settings.js';
import { pluginsOfFolders } from '../find/configured-plugins.js';
import type { FoundPlugins } from '../find/discover-plugins.js';

export interface CandidateSources {
  readonly settings: Pick<Settings, 'Plugins'>;
  /** Finds the plugins of folders and packages. Default: searches the plugins folders. */
  readonly find?: (() => FoundPlugins) | undefined;
  readonly bundled?: readonly Candidate[];
  readonly mounted?: readonly Candidate[];
  /** If set, only plugins with this name are returned. */
  readonly only?: string | undefined;
}

/** Returns bundled plugins, plugins of folders and packages, and mounted servers, in this order. */
export function findCandidates({
  settings: { Plugins },
  find,
  bundled = [],
  mounted = [],
  only,
}: CandidateSources): FoundPlugins {
  const { candidates, problems } = find ? find() : pluginsOfFolders(Plugins);
  const all = [...bundled, ...candidates, ...mounted];
  return { candidates: all.filter(({ name }) => only === undefined || name === only), problems };
}
