import { existsSync } from 'node:fs';
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
