import type { PluginDefinition, PluginLogEntry } from '@mortise/plugin/runtime';
import type { RunnerCallbacks } from '../../core/plugin-runner.js';

/** What the owner of a plugin's process hears of it that belongs to no call. */
export interface ProcessEvents {
  onLog(entry: PluginLogEntry): void;
  /** What the plugin or its children print. */
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  /** A promise while a long definition is taken over: results that come after it wait for that. */
  onDefinition(definition: PluginDefinition): void | Promise<void>;
  onResourceUpdated(uri: string): void;
  onResourceListChanged(): void;
  onReload(): void;
  /** The plugin asks for its settings. */
  onSettings: RunnerCallbacks['ownSettings'];
}
