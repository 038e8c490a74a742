import type { JsonObject } from '@mortise/plugin';
import { PluginSettingsStore } from '../src/plugins/catalog/plugin-settings-store.js';
import type { LoadedSettings } from '../src/settings/settings.js';

/** The settings of plugins with only a `Plugins.Config`. */
export function pluginSettingsOf(Config: JsonObject): PluginSettingsStore {
  const quiet = () => {};
  const Plugins = { Config, ShareConfig: true, Settings: {}, Environment: 'inherit', Environments: {} };
  const settings = { Plugins } as unknown as LoadedSettings['settings'];
  return new PluginSettingsStore({
    loaded: {
      settings,
      file: undefined,
      baseDir: '/',
      packageOrigins: [],
      warnings: [],
      secrets: [],
      pluginSections: new Map(),
      fetched: [],
      unavailable: [],
    },
    dataRoot: '/data',
    env: process.env,
    log: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
}
