import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { createRedactor } from '@mortise/redact';
import type { Candidate } from '../../core/plugin-candidate.js';
import type { PluginStatus } from '../../core/plugin-status.js';
import type { Log } from '../../log/log.js';
import { Catalog } from '../../plugins/catalog/catalog.js';
import { PluginSettingsStore } from '../../plugins/catalog/plugin-settings-store.js';
import { configuredPlugins } from '../../plugins/find/configured-plugins.js';
import { findPlugins } from '../../plugins/find/discover-plugins.js';
import { RunnerFactory } from '../../run/runner-factory.js';
import { pluginDataRoot } from '../../settings/process-environment.js';
import type { LoadedSettings } from '../../settings/settings.js';
import { CliError } from './cli-error.js';
import type { Issue } from './issue.js';
import { containPlugins } from './open-server.js';
import { portabilityIssues } from './portability.js';

/**
 * Finds the plugin at a path, or the plugin with a name of `mortise list`.
 * @param argument a path, absolute or relative to `cwd`, or a name
 * @returns undefined for a folder of plugins
 * @throws CliError if the argument is neither a plugin nor a folder
 */
export async function findPlugin(
  argument: string,
  cwd: string,
  load: () => Promise<LoadedSettings>,
): Promise<Candidate | undefined> {
  const path = resolve(cwd, argument);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) {
    const loaded = await load();
    const plugin = pluginNamed(argument, loaded);
    if (plugin) return plugin;
    const problem = configuredPlugins(loaded).problems.find(({ location }) => basename(location.file) === argument);
    if (problem)
      throw new CliError('notFound', {
        message: `${problem.message}.`,
        where: problem.location.file,
        hint: problem.hint,
      });
    throw new CliError('notFound', {
      message: `There is no plugin ${argument}, and ${path} does not exist.`,
      hint: 'Give the name of a plugin as `mortise list` shows it, its file or folder, or a folder of plugins.',
    });
  }
  const plugin = findPlugins(dirname(path)).candidates.find((candidate) => candidate.path === path);
  if (plugin || stats.isDirectory()) return plugin;
  const hint =
    'A plugin is a .js, .mjs, .cjs, .ts, .mts or .cts file that is not a test and whose name does not begin with . or _, or a .dll that refers to McpServer.Plugin.Abstractions.';
  throw new CliError('notFound', { message: `${basename(path)} is not a plugin and is ignored.`, where: path, hint });
}

/** Finds a plugin of the plugins folders and of `Plugins.Packages` by its name, also if plugins are switched off. */
export function pluginNamed(name: string, loaded: LoadedSettings): Candidate | undefined {
  const settings = { ...loaded.settings, Plugins: { ...loaded.settings.Plugins, Enabled: true } };
  return configuredPlugins({ ...loaded, settings }).candidates.find((candidate) => candidate.name === name);
}

export interface CheckedPlugin extends PluginStatus {
  /** Warnings about tools that some hosts refuse. */
  readonly portability: readonly Issue[];
}

/**
 * Loads one plugin in the way of the server, without running code of other plugins.
 * @throws CliError for an assembly without a tool
 */
export async function checkPlugin(candidate: Candidate, loaded: LoadedSettings, log: Log): Promise<CheckedPlugin> {
  const { settings: loadedSettings, secrets } = loaded;
  const redactor = createRedactor({ secrets });
  const Plugins = { ...loadedSettings.Plugins, Enabled: true, Directory: [candidate.directory] };
  const settings = { ...loadedSettings, Plugins };
  containPlugins(log, loaded);
  const pluginSettings = new PluginSettingsStore({ loaded, dataRoot: pluginDataRoot(), env: process.env, log });
  const runners = new RunnerFactory({
    ...{ settings, log, redactor, cacheDir: undefined },
    sharedSettings: () => undefined,
    ownSettings: () => undefined,
    commonEnvironment: () => pluginSettings.environmentOf(),
  });
  const find = () => ({ candidates: [candidate], problems: [] });
  const catalog = new Catalog({
    settings,
    log,
    find,
    only: candidate.name,
    loadRunner: runners.load,
    pluginSettings,
  });
  catalog.start({ onLog: () => {}, onResourceUpdated: () => {} });
  await catalog.ready();
  const {
    plugins: [status],
    tools,
  } = catalog.snapshot();
  await catalog.close();
  await runners.close();
  const advertisedTools = tools.map(({ wireName, advertisedInputSchema }) => ({
    name: wireName,
    inputSchema: advertisedInputSchema,
  }));
  if (status) return redactor.value({ ...status, portability: portabilityIssues(advertisedTools) });
  const { path } = candidate;
  throw new CliError('notFound', {
    message: `${basename(path)} is not a plugin: it has no public class that implements McpServer.Tools.ITool.`,
    where: path,
    hint: 'Make the class public and non-abstract, then rebuild.',
  });
}
