import type { ProgressReport } from '../../src/index.js';
import type {
  CallChannel,
  PluginDefinition,
  PluginHost,
  PluginInstance,
  PluginLogEntry,
} from '../../src/runtime/index.js';
import { loadPlugin } from '../../src/runtime/index.js';

export const FILE = '/plugins/sample.mjs';

export interface Recorded {
  host: PluginHost;
  logs: PluginLogEntry[];
  changes: PluginDefinition[];
  updates: string[];
  reloads: number;
}

/** A host that records what a plugin does outside of calls. */
export function recordingHost(config: PluginHost['config'] = {}): Recorded {
  const recorded: Recorded = { host: undefined as never, logs: [], changes: [], updates: [], reloads: 0 };
  recorded.host = {
    pluginName: 'sample',
    pluginsDir: '/plugins',
    config,
    dataDir: '/data/sample',
    ownSettings: async () => ({
      key: 'Plugins.Settings.sample',
      values: {},
      places: {},
      unavailable: [],
      dataDir: '/data/sample',
    }),
    log: (entry) => recorded.logs.push(entry),
    server: { name: 'test', version: '0' },
    processes: { environment: {}, own: () => ({ remove() {} }) },
    reloadPlugins: async () => {
      recorded.reloads++;
    },
    resourceUpdated: (uri) => recorded.updates.push(uri),
    resourceListChanged: () => {},
    definitionChanged: (definition) => recorded.changes.push(definition),
  };
  return recorded;
}

export async function load(moduleNamespace: object, recorded = recordingHost()): Promise<PluginInstance> {
  return loadPlugin(moduleNamespace, { file: FILE, host: recorded.host });
}

/** A port for one call; it records progress and log lines. */
export function channel(
  overrides: Partial<CallChannel> = {},
): CallChannel & { reports: ProgressReport[]; entries: PluginLogEntry[] } {
  const reports: ProgressReport[] = [];
  const entries: PluginLogEntry[] = [];
  return {
    signal: new AbortController().signal,
    clientCapabilities: {},
    progress: (report) => reports.push(report),
    log: (entry) => entries.push(entry),
    inputMode: 'ask',
    answers: {},
    requestInput: async () => ({}),
    ...overrides,
    reports,
    entries,
  };
}

export const codes = (plugin: PluginInstance): string[] => plugin.definition.problems.map(({ code }) => code);
export const names = (plugin: PluginInstance): string[] => plugin.definition.tools.map(({ name }) => name);
