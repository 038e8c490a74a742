import type { PluginStatus } from '../core/plugin-status.js';
import type { Principal } from '../core/principal.js';

/** A plugin as a principal sees it that may not operate the server: without its path, and with the number of its problems. */
export interface PluginSummary extends Omit<PluginStatus, 'path' | 'loadMs'> {
  readonly problemCount: number;
}

/** What `mortise://plugins` shows (docs/spec/access.md#scopes). */
export function pluginsFor(
  principal: Principal | undefined,
  plugins: readonly PluginStatus[],
): readonly (PluginStatus | PluginSummary)[] {
  if (principal === undefined || principal.scopes.has('mortise:operate')) return plugins;
  return plugins.map(({ path, loadMs, ...status }) => ({
    ...status,
    problems: [],
    problemCount: status.problems.length,
  }));
}
