import module from 'node:module';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { userConfigDir } from '../settings/paths.js';

/** The function exists in Node.js 22 and later. */
type WithCompileCache = typeof module & { enableCompileCache?(folder: string): void };

/**
 * Keeps the code that V8 compiles for this package for the next start. The code is stored in the user's folder and not
 * in a temporary one, so that no other user can write code that will run. Node's variables `NODE_COMPILE_CACHE` and
 * `NODE_DISABLE_COMPILE_CACHE` take precedence.
 */
export function enableCompileCache(): void {
  const folder = userConfigDir({ platform: process.platform, env: process.env, homeDir: homeOrNone });
  if (folder !== undefined) (module as WithCompileCache).enableCompileCache?.(join(folder, 'cache', 'code'));
}

/** Does the same as `homeFolder` of the plugin runtime, which is not loaded yet. */
function homeOrNone(): string {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return '';
  }
}
