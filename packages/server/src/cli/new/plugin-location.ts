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
  /** The configuration that must be written for the server to look there. */
  readonly config?: ConfigChange;
}

export interface ConfigChange {
  readonly file: string;
  readonly text: string;
  /** Whether the file exists; then it belongs to another program and our section is added. */
  readonly isExtended: boolean;
}

const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/**
 * The first plugins folder of the configuration: of that named by --config or --plugins, else of the working directory's. Where that
 * has none, it is `plugins` there, with the configuration to be written.
 * @throws SettingsError, ScaffoldError when there is a configuration that cannot be used
 */
export function resolveTarget(options: LoadOptions): PluginLocation {
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

/** @param expected the file that must be the one that counts */
function configuredTarget(options: LoadOptions, expected?: string): PluginLocation {
  const { settings, file } = loadSettings(options);
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
