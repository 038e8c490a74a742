import { homedir } from 'node:os';
import { tryOs } from '../util/ignore-os-errors.js';
import type { LoadOptions } from './load.js';
import { userConfigDir } from './paths.js';
import { SettingsError } from './settings-error.js';

/**
 * What loading the settings depends on, from this process. The only reader of process.env in settings/; processes that are started copy it.
 * @throws SettingsError when there is no working directory or no home folder
 */
export function readProcessEnvironment(): Pick<LoadOptions, 'cwd' | 'env' | 'userConfigDir'> {
  const folder = userConfigDir({ platform: process.platform, env: process.env, homeDir: () => tryOs(homedir) ?? '' });
  if (folder === undefined) {
    const message = 'There is no home folder for the configuration.';
    throw new SettingsError([{ key: '', message, hint: 'Set HOME (APPDATA on Windows) to an absolute path.' }]);
  }
  const cwd = tryOs(process.cwd);
  if (cwd === undefined) {
    const message = 'The working directory no longer exists.';
    throw new SettingsError([{ key: '', message, hint: 'Change to a folder that exists.' }]);
  }
  return { cwd, env: process.env, userConfigDir: folder };
}
