import { measureMemory } from '@mortise/process';
import type { PluginActivity, PluginStatus, RunningPlugin } from '../core/plugin-status.js';
import type { CallStatistics } from './interceptors/call-statistics.js';

/** Adds calls, memory and crashes to the status of each plugin (docs/spec/access.md#activity). */
export async function withActivity(
  plugins: readonly PluginStatus[],
  running: readonly RunningPlugin[],
  statistics: Pick<CallStatistics, 'of'>,
): Promise<PluginStatus[]> {
  const runningByPath = new Map(running.map((plugin) => [plugin.path, plugin]));
  const pids = running.flatMap(({ processId }) => (processId === undefined ? [] : [processId]));
  // Memory that cannot be measured is not shown.
  const memory = await measureMemory(pids, 'sample').catch(() => new Map<number, number>());
  return plugins.map((plugin) => {
    const { processId, crashes = 0 } = runningByPath.get(plugin.path) ?? {};
    const memoryBytes = processId === undefined ? undefined : memory.get(processId);
    const activity: PluginActivity = {
      ...statistics.of(plugin.path),
      crashes,
      ...(memoryBytes !== undefined && memoryBytes > 0 && { memoryBytes }),
    };
    return { ...plugin, activity };
  });
}
