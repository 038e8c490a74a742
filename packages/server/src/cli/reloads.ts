import { dirname } from 'node:path';
import type { Log } from '../log.js';
import { watchPlugins } from '../plugins/watch.js';
import type { Server } from '../server.js';

export interface ReloadTriggers {
  stop(): void;
}

export interface ReloadOptions {
  /** Also when a file of a plugin changes. */
  watch: boolean;
  /** A terminal's SIGHUP means its end; without one it means: read again. */
  hasTerminal: boolean;
}

/** Reloads the plugins at SIGHUP where there is no controlling terminal and, if asked, when their files change. */
export function reloadWhenTold(server: Server, log: Log, { watch, hasTerminal }: ReloadOptions): ReloadTriggers {
  const watching = watch ? watchPlugins(log, () => void reload('a file changed')) : undefined;

  async function reload(why: string): Promise<void> {
    try {
      const report = await server.reload();
      log.info('plugins reloaded', { why, ...report });
      watching?.watch(foldersOf(server));
    } catch (error) {
      log.error('plugins could not be reloaded', { why, error: String(error) });
    }
  }

  const onHangup = () => void reload('SIGHUP');
  if (!hasTerminal) process.on('SIGHUP', onHangup);
  void server.ready().then(() => watching?.watch(foldersOf(server)));

  return {
    stop() {
      process.off('SIGHUP', onHangup);
      watching?.close();
    },
  };
}

/** The plugins folders, and what lies below them. */
function foldersOf(server: Server): string[] {
  return [...new Set([...server.settings.Plugins.Directory, ...server.plugins().map(({ path }) => dirname(path))])];
}
