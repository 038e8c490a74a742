import { measureMemory } from '@mortise/process';
import type { PluginActivity, PluginStatus, RunningPlugin } from '../core/plugin-status.js';
import type { CallStatistics } from './interceptors/call-statistics.js';

/** The plugins with what they do: their calls, memory and crashes, as they are now (docs/spec/access.md#activity). */
export async function withActivity(
  plugins: readonly PluginStatus[],
  running: readonly RunningPlugin[],
  statistics: Pick<CallStatistics, 'of'>,
): Promise<PluginStatus[]> {
  const byPath = new Map(running.map((one) => [one.path, one]));
  const pids = running.flatMap(({ processId }) => (processId === undefined ? [] : [processId]));
  // What cannot be measured is not shown.
  const memory = await measureMemory(pids, 'sample').catch(() => new Map<number, number>());
  return plugins.map((plugin) => {
    const { processId, crashes = 0 } = byPath.get(plugin.path) ?? {};
    const memoryBytes = processId === undefined ? undefined : memory.get(processId);
    const activity: PluginActivity = {
      ...statistics.of(plugin.path),
      crashes,
      ...(memoryBytes !== undefined && memoryBytes > 0 && { memoryBytes }),
    };
    return { ...plugin, activity };
  });
}
