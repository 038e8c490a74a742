import { posix, win32 } from 'node:path';

/** The configuration file's name, in every folder. */
export const CONFIG_FILE = 'appsettings.json';

/** What the place of a user's configuration depends on. */
export interface UserFolders {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked only where the environment names no folder. */
  homeDir(): string;
}

/**
 * The folder that holds a user's configuration and what is trusted: `%APPDATA%\mortise`,
 * `~/Library/Application Support/mortise`, `$XDG_CONFIG_HOME/mortise` or `~/.config/mortise`. Undefined when there is no
 * absolute one: a relative folder would make the working directory decide what is trusted.
 */
export function userConfigDir({ platform, env, homeDir }: UserFolders): string | undefined {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  const named = platform === 'win32' ? env.APPDATA : platform === 'darwin' ? undefined : env.XDG_CONFIG_HOME;
  if (named && isAbsolute(named)) return join(named, 'mortise');
  const home = homeDir();
  return isAbsolute(home) ? join(home, ...(FOLDERS[platform] ?? ['.config']), 'mortise') : undefined;
}

/**
 * The folder that holds the data of a user's plugins: `%LOCALAPPDATA%\\mortise`, `~/Library/Application Support/mortise`,
 * `$XDG_DATA_HOME/mortise` or `~/.local/share/mortise`. Undefined when there is no absolute one.
 */
export function userDataDir({ platform, env, homeDir }: UserFolders): string | undefined {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  const named = platform === 'win32' ? env.LOCALAPPDATA : platform === 'darwin' ? undefined : env.XDG_DATA_HOME;
  if (named && isAbsolute(named)) return join(named, 'mortise');
  const home = homeDir();
  return isAbsolute(home) ? join(home, ...(DATA_FOLDERS[platform] ?? ['.local', 'share']), 'mortise') : undefined;
}

const DATA_FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  win32: ['AppData', 'Local'],
  darwin: ['Library', 'Application Support'],
};

const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  win32: ['AppData', 'Roaming'],
  darwin: ['Library', 'Application Support'],
};
