import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BundledPlugin, Candidate } from '../../core/plugin-candidate.js';
import { withheldNames } from '../../settings/plugin-environment.js';
import type { LoadedSettings } from '../../settings/settings.js';

/** Returns the plugins that ship with the server, with their settings; none if `Dotnet.Enabled` is false. */
export function bundledPlugins({ settings, fetched }: Pick<LoadedSettings, 'settings' | 'fetched'>): Candidate[] {
  const { Dotnet, Sessions, Concurrency, Output } = settings;
  if (Dotnet.Enabled === false) return [];
  const config = {
    Dotnet: {
      ...Dotnet,
      Tools: Dotnet.Tools.join(','),
      Roots: Dotnet.Roots.join('\n'),
      TrustedFolders: Dotnet.TrustedFolders.join('\n'),
    },
    Sessions: { ...Sessions },
    Concurrency: { ...Concurrency },
    Output: { MaxBytes: Output.MaxBytes },
    Environment: { Withheld: withheldNames({ settings, fetched }).join(',') },
  };
  const listing = { enabled: Dotnet.Enabled, tools: Dotnet.Tools, path: Dotnet.Path };
  const prepared = async () => (await import('@mortise/dotnet/definition')).preparedDefinition(listing);
  return [bundledCandidate('dotnet', '@mortise/dotnet', { config, prepared })];
}

function bundledCandidate(name: string, specifier: string, plugin: BundledPlugin): Candidate {
  const entry = fileURLToPath(import.meta.resolve(specifier));
  return { kind: 'bundled', name, path: entry, directory: dirname(entry), entry, problems: [], bundled: plugin };
}
