import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

export interface RuntimeFolderOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly homeDir: string;
  /** The id of the user; undefined on Windows. */
  readonly uid: number | undefined;
}

/**
 * Platform module: returns the absolute path of the folder in which running servers keep their lock files or change
 * files. All servers of one user must get the same folder, because they share their locks through it. On Linux it is
 * in `$XDG_RUNTIME_DIR`, otherwise in /run/user/<uid>, otherwise in /tmp; on macOS in ~/Library/Caches; on Windows in
 * %LOCALAPPDATA%.
 */
export function runtimeFolder(
  name: 'locks' | 'changes',
  { platform, env, homeDir, uid }: RuntimeFolderOptions,
): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homeDir, 'AppData', 'Local'), 'mortise', name);
  if (platform === 'darwin') return join(homeDir, 'Library', 'Caches', 'mortise', name);
  const candidates = [env.XDG_RUNTIME_DIR ?? '', `/run/user/${uid}`];
  const found = candidates.find((folder) => isAbsolute(folder) && existsSync(folder));
  return found === undefined ? `/tmp/mortise-${name}-${uid}` : join(found, 'mortise', name);
}
