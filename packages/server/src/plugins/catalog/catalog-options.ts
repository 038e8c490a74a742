import type { PluginDefinition, PluginLogEntry } from '@mortise/plugin/runtime';
import type { Review } from '../../core/definition-review.js';
import type { Candidate } from '../../core/plugin-candidate.js';
import type { LoadRunner } from '../../core/plugin-runner.js';
import type { Log } from '../../log/log.js';
import type { Settings } from '../../settings/settings.js';
import type { PinnedPlugin } from '../pins/plugin-key.js';
import type { CandidateSources } from './find-candidates.js';
import type { PluginSettingsStore } from './plugin-settings-store.js';

/** What a catalog is made with. */
export interface CatalogOptions {
  readonly settings: Pick<Settings, 'Plugins' | 'Tools'>;
  readonly log: Log;
  readonly loadRunner: LoadRunner;
  readonly pluginSettings: PluginSettingsStore;
  /** Where there is one, only plugins of this name are loaded. */
  readonly only?: string | undefined;
  /** Whether problems are logged; default true. */
  readonly logsProblems?: boolean | undefined;
  /** Finds the plugins, at the start and at each reload. Default: those of the plugins folders. */
  readonly find?: CandidateSources['find'];
  /** Plugins that ship with the server; they come before those of the folders. */
  readonly bundled?: readonly Candidate[];
  /** Servers of the settings; they come after the plugins of the folders. */
  readonly mounted?: readonly Candidate[];
  /** Looks at what a plugin offers before anyone else sees it, at load and at each change. */
  readonly comparePins?: (plugin: PinnedPlugin, definition: PluginDefinition) => Review;
  /** What was pinned of a plugin, by its labels. */
  readonly pinnedLabels?: (plugin: PinnedPlugin) => readonly string[];
  /** What a plugin had when it was last remembered, although its files have changed since. */
  readonly remembered?: (candidate: Candidate) => PluginDefinition | undefined;
}

/** What a catalog tells while it runs. */
export interface CatalogEvents {
  /** A line of a plugin's own logger outside of calls. */
  onLog(plugin: string, entry: PluginLogEntry): void;
  /** The process of a plugin, or the connection to a mounted server, has ended without being asked to. */
  onCrash?(): void;
  /** A plugin says that a resource has changed, which need not be its own (docs/spec/plugin-processes.md#own-updates). @param path of the plugin */
  onResourceUpdated(uri: string, path: string): void;
}
