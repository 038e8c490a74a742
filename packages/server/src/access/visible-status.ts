import type { PluginStatus } from '../core/plugin-status.js';
import type { Principal } from '../core/principal.js';

/** A plugin's status for principals that may not operate the server: without paths and the texts of problems. */
export interface PluginSummary extends Pick<PluginStatus, 'name' | 'state' | 'tools' | 'resources' | 'prompts'> {
  /** The number of problems. */
  problems: number;
}

/** True if the principal may not see paths and problems of plugins (docs/spec/access.md#scopes). */
export function seesOnlySummaries(principal: Principal | undefined): boolean {
  return principal !== undefined && !principal.scopes.has('mortise:operate');
}

export function toSummaries(plugins: readonly PluginStatus[]): PluginSummary[] {
  return plugins.map(({ name, state, tools, resources, prompts, problems }) => ({
    ...{ name, state, tools, resources, prompts },
    problems: problems.length,
  }));
}
