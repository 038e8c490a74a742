import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { PluginProblem } from '@mortise/plugin/runtime';
import { createRedactor } from '@mortise/redact';
import { createCatalog } from '../../catalog/catalog.js';
import type { LoadRunner } from '../../core/plugin-runner.js';
import type { PluginStatus } from '../../core/plugin-status.js';
import type { Log } from '../../logging/log.js';
import { findPlugins } from '../../plugin-loading/discover-plugins.js';
import { createRunnerFactory } from '../../runners/runner-factory.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { CliError } from './cli-error.js';
import { containPlugins } from './open-server.js';

/**
 * Whether a path is one plugin (true) or a folder of them (false).
 * @param path absolute
 * @throws CliError when it is neither
 */
export function isPlugin(path: string): boolean {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind) {
    throw new CliError('notFound', {
      message: `${path} does not exist.`,
      hint: 'Name a plugin, or a folder of plugins.',
    });
  }
  const isFound = findPlugins(dirname(path)).candidates.some((candidate) => candidate.path === path);
  if (isFound || kind.isDirectory()) return isFound;
  const hint =
    'A plugin is a .js, .mjs, .cjs, .ts, .mts or .cts file that is not a test and whose name does not begin with . or _, or a .dll that refers to McpServer.Plugin.Abstractions.';
  throw new CliError('notFound', { message: `${basename(path)} is not a plugin and is ignored.`, where: path, hint });
}

const NEIGHBOUR: PluginProblem = {
  severity: 'warning',
  code: 'PLUGIN_UNREADABLE',
  message: 'Only one plugin can be checked at a time',
  hint: '',
  location: { file: '' },
};

/**
 * Loads one plugin as the server does, and runs no code of its neighbours.
 * @param path as for {@link isPlugin}
 * @throws CliError for an assembly without a tool
 */
export async function checkPlugin(path: string, loaded: LoadedSettings, log: Log): Promise<PluginStatus> {
  const { settings: loadedSettings, secrets } = loaded;
  const redactor = createRedactor({ secrets });
  const settings = {
    ...loadedSettings,
    Plugins: { ...loadedSettings.Plugins, Enabled: true, Directory: [dirname(path)] },
  };
  containPlugins(log, loaded);
  const runnerFactory = createRunnerFactory({ settings, log, redactor, cacheDir: undefined });
  const loadRunner: LoadRunner = async (candidate, host) =>
    candidate.path === path ? runnerFactory.load(candidate, host) : { problem: NEIGHBOUR };
  const catalog = createCatalog({ settings, log, loadRunner, onLog: () => {}, onResourceUpdated: () => {} });
  await catalog.ready();
  const status = catalog.snapshot().plugins.find((plugin) => plugin.path === path);
  await catalog.close();
  await runnerFactory.close();
  if (status) return redactor.value(status);
  throw new CliError('notFound', {
    message: `${basename(path)} is not a plugin: it has no public class that implements McpServer.Tools.ITool.`,
    where: path,
    hint: 'Make the class public and non-abstract, then rebuild.',
  });
}
