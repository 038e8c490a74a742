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
 * Platform module: returns the absolute folder for files of this name that concern the running servers. Servers of the
 * same user share their locks if they find the same folder. On Linux it is in `$XDG_RUNTIME_DIR`, otherwise in
 * /run/user/<uid>, otherwise in /tmp; on macOS in ~/Library/Caches; on Windows in %LOCALAPPDATA%.
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
