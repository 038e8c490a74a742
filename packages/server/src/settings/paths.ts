import { posix, win32 } from 'node:path';

export const CONFIG_FILE = 'appsettings.json';

/** The inputs that determine the user's folders. */
export interface UserFolders {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called only if the environment names no absolute folder. */
  homeDir(): string;
}

/**
 * Returns the folder with the user's configuration and the list of trusted folders: `%APPDATA%\mortise`,
 * `~/Library/Application Support/mortise`, `$XDG_CONFIG_HOME/mortise` or `~/.config/mortise`. Undefined if none of them
 * is absolute: with a relative folder, the working directory would decide which folders are trusted.
 */
export function userConfigDir({ platform, env, homeDir }: UserFolders): string | undefined {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  const named = platform === 'win32' ? env.APPDATA : platform === 'darwin' ? undefined : env.XDG_CONFIG_HOME;
  if (named && isAbsolute(named)) return join(named, 'mortise');
  const home = homeDir();
  return isAbsolute(home) ? join(home, ...(CONFIG_FOLDERS[platform] ?? ['.config']), 'mortise') : undefined;
}

/**
 * Returns the folder with the data of the user's plugins: `%LOCALAPPDATA%\mortise`,
 * `~/Library/Application Support/mortise`, `$XDG_DATA_HOME/mortise` or `~/.local/share/mortise`. Undefined if none of
 * them is absolute.
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

const CONFIG_FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  win32: ['AppData', 'Roaming'],
  darwin: ['Library', 'Application Support'],
};
