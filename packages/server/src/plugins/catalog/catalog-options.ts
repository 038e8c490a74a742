import type { PluginDefinition, PluginLogEntry } from '@mortise/plugin/runtime';
import type { Review } from '../../core/definition-review.js';
import type { Candidate } from '../../core/plugin-candidate.js';
import type { LoadRunner } from '../../core/plugin-runner.js';
import type { Log } from '../../log/log.js';
import type { Settings } from '../../settings/settings.js';
import type { PinnedPlugin } from '../pins/plugin-key.js';
import type { CandidateSources } from './find-candidates.js';
import type { PluginSettingsStore } from './plugin-settings-store.js';

export interface CatalogOptions {
  readonly settings: Pick<Settings, 'Plugins' | 'Tools'>;
  readonly log: Log;
  readonly loadRunner: LoadRunner;
  readonly pluginSettings: PluginSettingsStore;
  /** If set, only plugins with this name are loaded. */
  readonly only?: string | undefined;
  /** Default true. */
  readonly logsProblems?: boolean | undefined;
  /**
   * Finds the plugins of folders and packages, at the start and at each reload. Default: searches the plugins folders.
   */
  readonly find?: CandidateSources['find'];
  /** Plugins that ship with the server. They come before those of the folders. */
  readonly bundled?: readonly Candidate[];
  /** Servers of `Plugins.McpServers`. They come after the plugins of the folders. */
  readonly mounted?: readonly Candidate[];
  /** Compares a definition with the plugin's pins, at each load and change, before anything of it is published. */
  readonly comparePins?: (plugin: PinnedPlugin, definition: PluginDefinition) => Review;
  /** Returns the labels of everything that is pinned for a plugin. */
  readonly pinnedLabels?: (plugin: PinnedPlugin) => readonly string[];
  /** Returns the plugin's last cached definition, even if its files have changed since. */
  readonly remembered?: (candidate: Candidate) => PluginDefinition | undefined;
}

export interface CatalogEvents {
  /** Called for each line that a plugin logs outside of calls. */
  onLog(plugin: string, entry: PluginLogEntry): void;
  /** Called when a plugin's process, or the connection to a mounted server, has ended unexpectedly. */
  onCrash?(): void;
  /**
   * Called when a plugin reports that a resource has changed. The listener checks that the resource is the plugin's own
   * (docs/spec/plugin-processes.md#own-updates).
   * @param path the plugin's path
   */
  onResourceUpdated(uri: string, path: string): void;
}
