import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { JsonObject } from '@mortise/plugin';
import type { Candidate } from '../core/plugin-candidate.js';
import { withheldNames } from '../settings/plugin-environment.js';
import type { LoadedSettings } from '../settings/settings.js';

/** The plugins that ship with the server, with the settings that are theirs. */
export function bundledPlugins({ settings, fetched }: Pick<LoadedSettings, 'settings' | 'fetched'>): Candidate[] {
  const { Dotnet, Sessions, Concurrency, Output } = settings;
  if (Dotnet.Enabled === false) return [];
  const config = {
    Dotnet: { ...Dotnet, Tools: Dotnet.Tools.join(',') },
    Sessions: { ...Sessions },
    Concurrency: { ...Concurrency },
    Output: { MaxBytes: Output.MaxBytes },
    Environment: { Withheld: withheldNames({ settings, fetched }).join(',') },
  };
  return [bundled('dotnet', '@mortise/dotnet', config)];
}

function bundled(name: string, specifier: string, config: JsonObject): Candidate {
  const entry = fileURLToPath(import.meta.resolve(specifier));
  return { kind: 'bundled', name, path: entry, directory: dirname(entry), entry, problems: [], bundled: { config } };
}

/** The fixed texts of the plugins that ship with the server. Other plugins cannot add any. */
export async function ownTexts(candidates: readonly Candidate[]): Promise<string[]> {
  const modules = await Promise.all(candidates.map(({ path }) => import(pathToFileURL(path).href)));
  return modules.flatMap((module: { ownTexts?: () => string[] }) => module.ownTexts?.() ?? []);
}
