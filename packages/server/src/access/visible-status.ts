import type { PluginStatus } from '../core/plugin-status.js';
import type { Principal } from '../core/principal.js';

/** A plugin as a principal sees it that may not operate the server: without paths and problems. */
export interface PluginSummary extends Pick<PluginStatus, 'name' | 'state' | 'tools' | 'resources' | 'prompts'> {
  problems: number;
}

/** Whether `mortise://plugins` shows summaries alone (docs/spec/access.md#scopes). */
export function isSummary(principal: Principal | undefined): boolean {
  return principal !== undefined && !principal.scopes.has('mortise:operate');
}

export function toSummaries(plugins: readonly PluginStatus[]): PluginSummary[] {
  return plugins.map(({ name, state, tools, resources, prompts, problems }) => ({
    ...{ name, state, tools, resources, prompts },
    problems: problems.length,
  }));
}
