import type { PluginProblem } from '@mortise/plugin/runtime';
import type { ServerApi } from './core/server-api.js';
import type { RequestMetrics } from './core/server-metrics.js';
import type { Log } from './log/log.js';
import type { ReloadReport } from './plugins/catalog/reload-report.js';
import type { Pins } from './plugins/pins/pins.js';
import type { LoadedSettings } from './settings/settings.js';
import type { SharedState } from './state/shared-state.js';

export interface ServerOptions {
  loaded: LoadedSettings;
  /** Default: JSON lines on stderr at `Log.Level`. */
  log?: Log;
  /** Absolute path of the folder for definitions and translated TypeScript. Without it nothing is cached. */
  cacheDir?: string;
  /** Reads the settings again at a reload. Without it plugins keep the settings of the start. @throws SettingsError */
  reloadSettings?: () => Promise<LoadedSettings>;
  /** Loads only the plugins with this name. */
  only?: string;
  /** Logs the problems of plugins; false if the caller shows those of `plugins()` itself. Default: true. */
  logsProblems?: boolean;
  /** The debugger port by plugin name. These plugins run under the inspector, and their calls have no deadline. */
  inspect?: ReadonlyMap<string, number>;
  /** Measures requests. Default: they are not measured. */
  metrics?: RequestMetrics | undefined;
  /** The state that replicas share. The caller closes it after the server. Default: there are no other replicas. */
  shared?: SharedState | undefined;
}

/** The server as its owner sees it. Front ends only get the {@link ServerApi}. */
export interface Server extends ServerApi {
  /** Loads plugins that were added or changed, while their old versions keep running (docs/spec/plugins.md#reload). */
  reload(): Promise<ReloadReport>;
  /** The absolute paths of all files of plugins in folders, including imported files outside of the plugins folders. */
  pluginFiles(): string[];
  /** The problems of plugins folders, settings and profiles. Await ready() first. */
  problems(): readonly PluginProblem[];
  /** The absolute path of the settings file, if there is one. */
  readonly settingsFile: string | undefined;
  /** Accepts the current definitions of the plugins with this name (`mortise trust <plugin>`). Await ready() first. */
  trustPlugin(name: string): ReturnType<Pins['trust']>;
}
