import { readFileSync } from 'node:fs';
import type { PluginDefinition } from '@mortise/plugin/runtime';
import { findDotnet } from './process/find-dotnet.js';
import type { DotnetSettings } from './settings.js';

/**
 * Returns the definition of the plugin under these settings without loading its code. `definition.json` has the
 * definition with all tools; the build of the package writes it (scripts/bundle.mjs).
 */
export function preparedDefinition(settings: Pick<DotnetSettings, 'enabled' | 'tools' | 'path'>): PluginDefinition {
  const all = JSON.parse(readFileSync(new URL('definition.json', import.meta.url), 'utf8')) as PluginDefinition;
  const { enabled, tools: names, path } = settings;
  const tools = all.tools.filter(({ name }) => names.length === 0 || names.includes(name));
  const { env, platform } = process;
  if (enabled === true || findDotnet({ setting: path, env, platform }) !== undefined) return { ...all, tools };
  return { ...all, tools: tools.map((tool) => ({ ...tool, listed: false })), resources: [], prompts: [] };
}
