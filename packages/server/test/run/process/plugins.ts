import { join } from 'node:path';
import type { CallChannel, PluginDefinition, PluginLogEntry } from '@mortise/plugin/runtime';
import { createRedactor } from '@mortise/redact';
import type { RunnerCallbacks } from '../../../src/core/plugin-runner.js';
import type { ProcessPool } from '../../../src/run/process/process-pool.js';
import type { LoadRequest } from '../../../src/run/worker/protocol.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';
import { built } from '../../built.js';
import { makeTree } from '../../make-tree.js';
import { openReaper } from '../../open-reaper.js';

export const quiet = () => {};
export const LOG = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };

const { createProcessPool } =
  built<typeof import('../../../src/run/process/process-pool.js')>('run/process/process-pool');

/** Processes with the environment of the tests; whoever makes it closes it. */
export function createTestPool(reaper = openReaper()): ProcessPool {
  return createProcessPool({
    maxMemoryMb: 256,
    limits: DEFAULT_LIMITS,
    log: LOG,
    reaper,
    commonEnvironment: () => process.env as Record<string, string>,
    redactor: createRedactor({ secrets: [] }),
  });
}

export const EMPTY: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };

/** A port that no one listens to; `end` is what the caller does to end the call. */
export function createChannel(): CallChannel & { end(): void } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    end: () => controller.abort(),
    clientCapabilities: {},
    progress: quiet,
    log: quiet,
    inputMode: 'ask',
    answers: {},
    requestInput: () => Promise.reject(new Error('no one is asked')),
  };
}

/** A host that notes what it hears of a plugin. */
export function createPluginHost(): RunnerCallbacks & { logged: PluginLogEntry[]; definitions: PluginDefinition[] } {
  const logged: PluginLogEntry[] = [];
  const definitions: PluginDefinition[] = [];
  return {
    pluginName: 'p',
    pluginsDir: '/',
    config: {},
    dataDir: '/data/p',
    environment: process.env as Record<string, string>,
    ownSettings: async () => ({
      key: 'Plugins.Settings.p',
      values: {},
      places: {},
      unavailable: [],
      dataDir: '/data/p',
    }),
    logged,
    definitions,
    log: (entry) => logged.push(entry),
    crashed: (message) => logged.push({ level: 'error', message }),
    reloadPlugins: async () => {},
    resourceUpdated: quiet,
    resourceListChanged: quiet,
    definitionChanged: (definition) => void definitions.push(definition),
  };
}

/** Plugins of one file each, and how they are loaded. */
export function loadRequests(sources: Record<string, string>): Record<string, LoadRequest> {
  const files = Object.fromEntries(Object.entries(sources).map(([name, source]) => [`${name}.cjs`, source]));
  const root = makeTree(files);
  return Object.fromEntries(
    Object.keys(sources).map((name) => [
      name,
      {
        entry: join(root, `${name}.cjs`),
        pluginName: name,
        pluginsDir: root,
        config: {},
        dataDir: join(root, '.data'),
        environment: process.env as Record<string, string>,
        notSecretKey: '',
        limits: DEFAULT_LIMITS,
      },
    ]),
  );
}

/** A plugin whose tools run these functions. */
export function pluginOf(tools: Record<string, string>, more = ''): string {
  const calls = Object.entries(tools).map(
    ([name, run]) =>
      `api.registerTool({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, run: ${run} });`,
  );
  return `module.exports.register = (api) => {\n${calls.join('\n')}\n${more}\n};`;
}
