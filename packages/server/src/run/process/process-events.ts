import type { PluginDefinition, PluginLogEntry } from '@mortise/plugin/runtime';
import type { RunnerCallbacks } from '../../core/plugin-runner.js';

/** What the owner of a plugin's process hears of it that belongs to no call. */
export interface ProcessEvents {
  onLog(entry: PluginLogEntry): void;
  /** What the plugin or its children print. */
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  onDefinition(definition: PluginDefinition): void;
  onResourceUpdated(uri: string): void;
  onResourceListChanged(): void;
  onReload(): void;
  /** The plugin asks for its settings. */
  onSettings: RunnerCallbacks['ownSettings'];
}
