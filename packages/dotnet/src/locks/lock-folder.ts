import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** What the place of the user's locks depends on. */
export interface RuntimeFolderOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly homeDir: string;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
}

/**
 * Platform module: the user's runtime folder for locks, the same for every server of the user on this machine, whatever
 * started it. Linux: `$XDG_RUNTIME_DIR`, else /run/user/<uid>, else /tmp; macOS: ~/Library/Caches; Windows: %LOCALAPPDATA%.
 */
export function lockFolder({ platform, env, homeDir, uid }: RuntimeFolderOptions): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homeDir, 'AppData', 'Local'), 'mortise', 'locks');
  if (platform === 'darwin') return join(homeDir, 'Library', 'Caches', 'mortise', 'locks');
  const sessions = [env.XDG_RUNTIME_DIR ?? '', `/run/user/${uid}`];
  const session = sessions.find((folder) => isAbsolute(folder) && existsSync(folder));
  return session === undefined ? `/tmp/mortise-locks-${uid}` : join(session, 'mortise', 'locks');
}

/**
 * Creates the folder for this user only.
 * @throws Error if a folder of another user is in its place: the name in /tmp is not a secret
 */
export function makeOwnFolder(folder: string, uid: number | undefined): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new Error(`The folder for locks, ${folder}, cannot be made: ${code}`, { cause: error });
  }
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw new Error(`The folder for locks, ${folder}, is not a folder`);
  if (uid !== undefined && stats.uid !== uid)
    throw new Error(`The folder for locks, ${folder}, belongs to another user`);
}
