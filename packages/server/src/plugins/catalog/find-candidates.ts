import type { Candidate } from '../../core/plugin-candidate.js';
import type { Settings } from '../../settings/settings.js';
import { pluginsOfFolders } from '../find/configured-plugins.js';
import type { FoundPlugins } from '../find/discover-plugins.js';

/** Where plugins come from. */
export interface CandidateSources {
  readonly settings: Pick<Settings, 'Plugins'>;
  /** Finds the plugins of folders and packages; default: those of the folders. */
  readonly find?: (() => FoundPlugins) | undefined;
  readonly bundled?: readonly Candidate[];
  readonly mounted?: readonly Candidate[];
  /** Where there is one, only plugins of this name count. */
  readonly only?: string | undefined;
}

/** What is found: plugins that ship with the server, those of folders and packages, and mounted servers. */
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
