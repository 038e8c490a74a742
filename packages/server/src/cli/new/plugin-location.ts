import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { type LoadOptions, loadSettings } from '../../settings/load.js';
import { parseConfig } from '../../settings/parse-config.js';
import { CONFIG_FILE } from '../../settings/paths.js';
import { SettingsError } from '../../settings/settings-error.js';
import { readTextFile } from '../../util/read-text-file.js';
import { addPluginsSection, newConfig } from './config-text.js';
import { ScaffoldError } from './scaffold-error.js';

/** The location of a new plugin. Paths are absolute. */
export interface PluginLocation {
  /** The plugins folder. */
  readonly directory: string;
  /** The configuration that must be written so that the server finds plugins there; undefined if nothing must be. */
  readonly config?: ConfigChange;
}

export interface ConfigChange {
  readonly file: string;
  readonly text: string;
  /** True if the file belongs to another program and gets a section for Mortise; false if it is new. */
  readonly isExtended: boolean;
}

const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/**
 * Returns the first plugins folder of the configuration that --config, --plugins or the working directory determines.
 * If there is none, returns the folder `plugins` of the working directory and the configuration to write.
 * @throws SettingsError or ScaffoldError if there is a configuration that cannot be used
 */
export async function resolveTarget(options: LoadOptions): Promise<PluginLocation> {
  const { cwd, configPath, overrides } = options;
  const file = join(cwd, CONFIG_FILE);
  if (configPath !== undefined || overrides?.Plugins?.Directory) return configuredTarget(options);
  const content = readTextFile(file, MAX_CONFIG_BYTES);
  const directory = join(cwd, 'plugins');
  if (content.kind === 'missing') return { directory, config: { file, text: newConfig(file), isExtended: false } };
  if (content.kind === 'unreadable') {
    throw new ScaffoldError(
      `${file} cannot be read: ${content.why}.`,
      'Correct that, or run the command in another folder.',
    );
  }
  const { tree, problems, syntaxProblem } = parseConfig(content.text, file);
  if (syntaxProblem) throw new SettingsError([syntaxProblem]);
  if (tree.members.length || problems.length) return configuredTarget(options, file);
  const byteOrderMark = readRegularText(file).startsWith('\uFEFF') ? '\uFEFF' : '';
  return { directory, config: { file, text: byteOrderMark + addPluginsSection(content.text), isExtended: true } };
}

/** @param expected a configuration file that is not used if its folder is untrusted, which is an error here */
async function configuredTarget(options: LoadOptions, expected?: string): Promise<PluginLocation> {
  const { settings, file } = await loadSettings(options);
  if (expected !== undefined && !isSameFile(file, expected)) {
    const hint = `If you trust what it would run: mortise trust ${JSON.stringify(dirname(expected))}`;
    throw new ScaffoldError(`${expected} configures Mortise, but its folder is not trusted.`, hint);
  }
  const [directory] = settings.Plugins.Directory;
  if (directory !== undefined) return { directory };
  throw new ScaffoldError(
    'Plugins.Directory does not name a folder.',
    'Name one in the configuration, or with --plugins.',
  );
}

function isSameFile(file: string | undefined, other: string): boolean {
  return file !== undefined && realpathSync(file) === realpathSync(other);
}
