import { join, resolve } from 'node:path';
import { realPath } from '../util/ignore-os-errors.js';
import { readTextFile } from '../util/read-text-file.js';
import { type ParsedConfig, parseConfig } from './parse-config.js';
import { CONFIG_FILE } from './paths.js';
import { SettingsError } from './settings-error.js';
import { createTrustStore } from './trusted-config.js';

const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/** The configuration file that counts. */
export interface FoundConfig extends ParsedConfig {
  /** Absolute. */
  readonly file: string;
}

export interface ConfigSearchOptions {
  /** `--config`; relative to cwd. Naming a file is trusting it. */
  readonly configPath?: string;
  readonly cwd: string;
  readonly userConfigDir: string;
}

/**
 * The file named by `--config`, else that of the working directory if the folder is trusted and the file ours, else the
 * user's (docs/spec/configuration.md#config-file).
 * @param warn called for a file that is ignored because its folder is not trusted
 * @throws SettingsError when a file that counts is missing, unreadable or no JSON
 */
export function findConfig(options: ConfigSearchOptions, warn: (message: string) => void): FoundConfig | undefined {
  const { configPath, cwd, userConfigDir } = options;
  if (configPath !== undefined) return readNamed(resolve(cwd, configPath), warn);
  return findInFolder(cwd, userConfigDir, warn) ?? readOwn(join(userConfigDir, CONFIG_FILE));
}

function readNamed(file: string, warn: (message: string) => void): FoundConfig {
  const found = readOwn(file);
  if (!found) fail(file, 'There is no such file.', 'Correct --config, or run `mortise init` to make one.');
  if (!found.tree.members.length && !found.problems.length) {
    warn(`${file} has no section of Mortise: the defaults are used.`);
  }
  return found;
}

/**
 * The file of the folder, if the folder is trusted, the file ours, and not the user's.
 * @throws SettingsError when it is unreadable or no JSON
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
  const found = readOwn(file);
  return found && (found.tree.members.length || found.problems.length) ? found : undefined;
}

/** A file that we are sure to read: everything that is wrong with it is an error. */
function readOwn(file: string): FoundConfig | undefined {
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
