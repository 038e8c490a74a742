import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeFolder } from '@mortise/plugin/runtime';
import { tryOs } from '../util/ignore-os-errors.js';
import type { LoadOptions } from './load.js';
import { userConfigDir, userDataDir } from './paths.js';
import { SettingsError } from './settings-error.js';

const userFolders = () => ({ platform: process.platform, env: process.env, homeDir: homeFolder });

/** Returns the absolute path of this installation's data folder: a temporary folder if the user has no home. */
export function dataRoot(): string {
  return userDataDir(userFolders()) ?? join(tmpdir(), 'mortise');
}

/** Returns the absolute path of the folder with the data folders of plugins. */
export function pluginDataRoot(): string {
  return join(dataRoot(), 'plugins');
}

/**
 * Reads the inputs of the settings from this process. No other module in settings/ reads process.env.
 * @throws SettingsError if there is no working directory or no home folder
 */
export function readProcessEnvironment(): Pick<LoadOptions, 'cwd' | 'env' | 'userConfigDir'> {
  const folder = userConfigDir(userFolders());
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
