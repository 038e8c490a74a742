import module from 'node:module';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { userConfigDir } from '../settings/paths.js';

/** Node.js 22 and later. */
type WithCompileCache = typeof module & { enableCompileCache?(folder: string): void };

/**
 * Keeps what V8 compiles of this package between starts, beside the definitions of plugins: it is code that will be run, so no one
 * else may write there, as in a temporary folder. Variables of Node.js (`NODE_COMPILE_CACHE`, `NODE_DISABLE_COMPILE_CACHE`) win.
 */
export function enableCompileCache(): void {
  const folder = userConfigDir({ platform: process.platform, env: process.env, homeDir: homeOrNone });
  if (folder !== undefined) (module as WithCompileCache).enableCompileCache?.(join(folder, 'cache', 'code'));
}

/** As `homeFolder` of the plugin runtime, which is not loaded yet. */
function homeOrNone(): string {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return '';
  }
}
