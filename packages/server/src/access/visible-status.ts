import type { PluginStatus } from '../core/plugin-status.js';
import type { Principal } from '../core/principal.js';

/** A plugin as a principal sees it that may not operate the server: without paths and problems. */
export interface PluginSummary extends Pick<PluginStatus, 'name' | 'state' | 'tools' | 'resources' | 'prompts'> {
  problems: number;
}

/** What `mortise://plugins` shows (docs/spec/access.md#scopes). */
export function pluginsFor(
  principal: Principal | undefined,
  plugins: readonly PluginStatus[],
): readonly (PluginStatus | PluginSummary)[] {
  if (principal === undefined || principal.scopes.has('mortise:operate')) return plugins;
  return plugins.map(({ name, state, tools, resources, prompts, problems }) => ({
    ...{ name, state, tools, resources, prompts },
    problems: problems.length,
  }));
}
