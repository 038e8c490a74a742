import { join, resolve } from 'node:path';
import { realPath } from '../util/ignore-os-errors.js';
import { readTextFile } from '../util/read-text-file.js';
import { type ParsedConfig, parseConfig } from './parse-config.js';
import { CONFIG_FILE } from './paths.js';
import { SettingsError } from './settings-error.js';
import { createTrustStore } from './trusted-config.js';

const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/** The configuration file that is used. */
export interface FoundConfig extends ParsedConfig {
  /** Absolute path. */
  readonly file: string;
}

export interface ConfigSearchOptions {
  /** The value of `--config`, relative to `cwd`. A user who names a file trusts it. */
  readonly configPath?: string;
  readonly cwd: string;
  readonly userConfigDir: string;
}

/**
 * Reads the file named by `--config`. Without `--config`, reads the file of the working directory if the folder is
 * trusted and the file configures Mortise, and otherwise the user's (docs/spec/configuration.md#config-file).
 * @param warn called if a file is ignored because its folder is not trusted, or if the named file does not configure
 * Mortise
 * @returns undefined if there is no such file
 * @throws SettingsError if the named file is missing, or a file is unreadable or not valid JSON
 */
export function findConfig(options: ConfigSearchOptions, warn: (message: string) => void): FoundConfig | undefined {
  const { configPath, cwd, userConfigDir } = options;
  if (configPath !== undefined) return readNamedFile(resolve(cwd, configPath), warn);
  return findInFolder(cwd, userConfigDir, warn) ?? readTrustedFile(join(userConfigDir, CONFIG_FILE));
}

function readNamedFile(file: string, warn: (message: string) => void): FoundConfig {
  const config = readTrustedFile(file);
  if (!config) fail(file, 'There is no such file.', 'Correct --config, or run `mortise init` to make one.');
  if (!config.tree.members.length && !config.problems.length) {
    warn(`${file} has no section of Mortise: the defaults are used.`);
  }
  return config;
}

/**
 * Reads the configuration file of a folder if the folder is trusted and the file configures Mortise.
 * @param warn called if the folder is not trusted, but its file configures Mortise
 * @returns undefined also for the folder with the user's own configuration
 * @throws SettingsError if the file of a trusted folder is unreadable or not valid JSON
 */
export function findInFolder(
  folder: string,
  userConfigDir: string,
  warn: (message: string) => void,
): FoundConfig | undefined {
  if (realPath(folder) === realPath(userConfigDir)) return undefined;
  const file = join(folder, CONFIG_FILE);
  if (!createTrustStore(userConfigDir).isTrusted(folder)) {
    warnOfUntrusted(file, folder, warn);
    return undefined;
  }
  const config = readTrustedFile(file);
  return config && (config.tree.members.length || config.problems.length) ? config : undefined;
}

function readTrustedFile(file: string): FoundConfig | undefined {
  const content = readTextFile(file, MAX_CONFIG_BYTES);
  if (content.kind === 'missing') return undefined;
  if (content.kind === 'unreadable')
    fail(file, `The file cannot be read: ${content.why}.`, 'Correct that, or name another file with --config.');
  const parsed = parseConfig(content.text, file);
  if (parsed.syntaxProblem) throw new SettingsError([parsed.syntaxProblem]);
  return { ...parsed, file };
}

function warnOfUntrusted(file: string, folder: string, warn: (message: string) => void): void {
  const content = readTextFile(file, MAX_CONFIG_BYTES);
  if (content.kind !== 'text') return;
  const sections = parseConfig(content.text, file).tree.members.map(({ key }) => key);
  if (!sections.length) return;
  warn(
    `${file} is ignored: it configures Mortise (${sections.join(', ')}), but its folder is not trusted. ` +
      `If you trust what it would run: mortise trust ${JSON.stringify(folder)}`,
  );
}

function fail(file: string, message: string, hint: string): never {
  throw new SettingsError([{ key: '', message, hint, file }]);
}
