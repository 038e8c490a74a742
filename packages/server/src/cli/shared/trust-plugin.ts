import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { configuredPlugins } from '../../plugins/find/configured-plugins.js';
import { mountedNames } from '../../plugins/find/mounted-candidates.js';
import { describeChanges } from '../../plugins/pins/compare.js';
import type { TrustedPlugin } from '../../plugins/pins/pins.js';
import { loadSettings } from '../../settings/load.js';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { SettingsError } from '../../settings/settings-error.js';
import { tryOs } from '../../util/ignore-os-errors.js';
import { CliError } from './cli-error.js';
import { count, indent, locationText } from './format-text.js';
import { openServer } from './open-server.js';
import { loadOptionsFor, type SettingsOptions } from './settings-options.js';
import type { Terminal } from './terminal.js';

/**
 * Returns true if a word is not a path and is the name of a plugin. If the settings cannot be read and there is such a
 * folder, returns false, so that the folder can be trusted.
 * @throws SettingsError if the settings cannot be read and there is no such folder
 */
export async function isPluginName(word: string, options: SettingsOptions): Promise<boolean> {
  const isScoped = /^@[^/\\]+\/[^/\\]+$/.test(word);
  if (word.startsWith('.') || (basename(word) !== word && !isScoped)) return false;
  try {
    const loaded = await loadSettings(loadOptionsFor(options));
    const names = configuredPlugins(loaded).candidates.map(({ name }) => name);
    return [...names, ...mountedNames(Object.keys(loaded.settings.Plugins.McpServers)).values()].includes(word);
  } catch (error) {
    if (error instanceof SettingsError && isFolder(word)) return false;
    throw error;
  }
}

const isFolder = (word: string) =>
  tryOs(() => statSync(resolve(readProcessEnvironment().cwd, word)).isDirectory()) ?? false;

/**
 * Pins the current definitions of the plugins with this name, and prints the changes that this accepts.
 * @throws CliError if no such plugin loads, or the pins cannot be written
 */
export async function trustPlugin(
  name: string,
  options: SettingsOptions & { readonly json?: true },
  terminal: Terminal,
): Promise<void> {
  const { server } = await openServer(terminal, options, { isFresh: true, only: name });
  await server.ready();
  const { file, plugins, problem } = await server.trustPlugin(name);
  await server.close();
  if (problem) {
    throw new CliError('failed', {
      message: problem.message,
      where: locationText(problem.location),
      hint: problem.hint,
    });
  }
  if (plugins.length === 0) {
    throw new CliError('failed', {
      message: `The plugin ${name} does not load, so there is nothing to accept.`,
      hint: 'See why: mortise list',
    });
  }
  const text = () => [...plugins.map((plugin) => trustedText(plugin, file)), ...folderHint(name, terminal)].join('\n');
  terminal.out(options.json ? JSON.stringify({ file, plugins }, null, 2) : text());
}

function trustedText({ name, path, tools, changes }: TrustedPlugin, file: string): string {
  const plugin = `${name}, ${count(tools, 'tool')}${path === undefined ? '' : `  ${path}`}`;
  if (changes.length === 0) return `Nothing to accept: ${plugin}\n${indent(`Pinned like this in ${file}`, 2)}`;
  return [`Trusted: ${plugin}`, ...describeChanges(changes).map((line) => indent(line, 2)), `  Pinned in ${file}`].join(
    '\n',
  );
}

function folderHint(name: string, { style }: Terminal): string[] {
  return isFolder(name) ? [indent(`${style.arrow} The folder of that name: mortise trust ./${name}`, 2)] : [];
}
