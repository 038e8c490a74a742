import type { PluginProblem } from '@mortise/plugin/runtime';
import type { ServerApi } from './core/server-api.js';
import type { RequestMetrics } from './core/server-metrics.js';
import type { Log } from './log/log.js';
import type { ReloadReport } from './plugins/catalog/reload-report.js';
import type { Pins } from './plugins/pins/pins.js';
import type { LoadedSettings } from './settings/settings.js';

/** What a server is built with. */
export interface ServerOptions {
  loaded: LoadedSettings;
  /** Default: structured lines to stderr at `Log.Level`. */
  log?: Log;
  /** Where translated TypeScript is kept between starts; absolute. Nothing is kept without it. */
  cacheDir?: string;
  /** Reads the settings again at a reload, for plugins; without it they keep those of the start. @throws SettingsError */
  reloadSettings?: () => LoadedSettings;
  /** Only plugins of this name are loaded. */
  only?: string;
  /** false: the problems of plugins are not logged, because the caller shows those of `plugins()`. Default true. */
  logsProblems?: boolean;
  /** Plugins whose process runs under the inspector, without deadlines: name → port. */
  inspect?: ReadonlyMap<string, number>;
  /** Where requests are measured; default: nowhere. */
  metrics?: RequestMetrics | undefined;
}

/** The host as its owner has it: front ends get the {@link ServerApi} alone. */
export interface Server extends ServerApi {
  /** Loads the plugins that were added or have changed, next to the old (docs/spec/plugins.md#reload). */
  reload(): Promise<ReloadReport>;
  /** The files that the plugins of the folders are made of, helpers outside of the plugins folders included; absolute. */
  pluginFiles(): string[];
  /** What is wrong with plugins folders and with sections of `Plugins.Settings`. Await ready() first. */
  problems(): readonly PluginProblem[];
  /** The absolute path of the settings file, where there is one. */
  readonly settingsFile: string | undefined;
  /** Accepts what the plugins of this name offer now (`mortise trust <plugin>`). Await ready() first. */
  trustPlugin(name: string): ReturnType<Pins['trust']>;
}
