import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../log.js';
import { watchPlugins } from '../plugins/watch.js';
import type { Server } from '../server.js';
import { attempt } from '../settings/system-answer.js';

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
      watching?.watch(placesOf(server));
    } catch (error) {
      log.error('plugins could not be reloaded', { why, error: String(error) });
    }
  }

  const onHangup = () => void reload('SIGHUP');
  if (!hasTerminal) process.on('SIGHUP', onHangup);
  void server.ready().then(() => watching?.watch(placesOf(server)));

  return {
    stop() {
      process.off('SIGHUP', onHangup);
      watching?.close();
    },
  };
}

/** The plugins folders with what lies below them, and where the links in them lead. */
function placesOf(server: Server): { trees: string[]; folders: string[] } {
  // A mounted server has no file.
  const files = server.plugins().filter(({ kind }) => kind !== 'server');
  const paths = files.map(({ path }) => path);
  const targets = paths.flatMap((path) => {
    const target = attempt(() => realpathSync(path));
    return target === undefined || target === path ? [] : [target];
  });
  const isFolder = (path: string) => attempt(() => statSync(path).isDirectory()) ?? false;
  return {
    trees: [...server.settings.Plugins.Directory, ...paths.map(dirname), ...targets.filter(isFolder)],
    folders: targets.filter((target) => !isFolder(target)).map(dirname),
  };
}
