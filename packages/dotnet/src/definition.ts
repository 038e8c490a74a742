import { readFileSync } from 'node:fs';
import type { PluginDefinition } from '@mortise/plugin/runtime';
import { findDotnet } from './process/find-dotnet.js';
import type { DotnetSettings } from './settings.js';

/**
 * What the plugin provides with these settings, without loading its code: `definition.json` is what it provides with all of
 * its tools, and is made when the package is built (scripts/bundle.mjs).
 */
export function preparedDefinition(settings: Pick<DotnetSettings, 'enabled' | 'tools' | 'path'>): PluginDefinition {
  const all = JSON.parse(readFileSync(new URL('definition.json', import.meta.url), 'utf8')) as PluginDefinition;
  const { enabled, tools: names, path } = settings;
  const tools = all.tools.filter(({ name }) => names.length === 0 || names.includes(name));
  const { env, platform } = process;
  if (enabled === true || findDotnet({ setting: path, env, platform }) !== undefined) return { ...all, tools };
  return { ...all, tools: tools.map((tool) => ({ ...tool, listed: false })), resources: [], prompts: [] };
}
