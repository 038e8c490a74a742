import { realpathSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { Log } from '../../log/log.js';
import { PluginWatch } from '../../plugins/catalog/plugin-watch.js';
import type { ReloadReport } from '../../plugins/catalog/reload-report.js';
import type { Server } from '../../server-interface.js';
import { tryOs } from '../../util/ignore-os-errors.js';

export interface ReloadTriggers {
  stop(): void;
}

export interface ReloadOptions {
  /** True: reload also when a file of a plugin changes. */
  watch: boolean;
  /** True if SIGHUP means that the terminal was closed; otherwise SIGHUP means reload. */
  hasTerminal: boolean;
  /** True: watch only the loaded plugins, and not everything in the plugins folders. */
  isOnePlugin?: boolean;
  /** Called after each successful reload, with its duration in milliseconds. Default: writes a line to the log. */
  report?(report: ReloadReport, ms: number): void;
}

/** Reloads the plugins at SIGHUP if there is no controlling terminal and, with `watch`, when their files change. */
export function watchReloadTriggers(server: Server, log: Log, options: ReloadOptions): ReloadTriggers {
  const { watch, hasTerminal, isOnePlugin = false } = options;
  const pluginWatch = watch ? new PluginWatch(log, () => void reload('a file changed')) : undefined;

  async function reload(why: string): Promise<void> {
    try {
      const startedAt = performance.now();
      const report = await server.reload();
      pluginWatch?.watch(watchedPathsOf(server, isOnePlugin));
      if (options.report) options.report(report, Math.round(performance.now() - startedAt));
      else log.info('plugins reloaded', { why, ...report });
    } catch (error) {
      log.error('plugins could not be reloaded', { why, error: String(error) });
    }
  }

  const onHangup = () => void reload('SIGHUP');
  if (!hasTerminal) process.on('SIGHUP', onHangup);
  if (pluginWatch) void server.ready().then(() => pluginWatch.watch(watchedPathsOf(server, isOnePlugin)));

  return {
    stop() {
      process.off('SIGHUP', onHangup);
      pluginWatch?.close();
    },
  };
}

/**
 * Returns the paths to watch: the settings file, the plugins folders and packages with their subfolders, the targets of
 * links in them, and the folders of other modules that the plugins import.
 */
function watchedPathsOf(server: Server, isOnePlugin: boolean): { trees: string[]; folders: string[]; files: string[] } {
  const { Directory, Packages } = server.settings.Plugins;
  const plugins = server.plugins().filter((plugin) => traitsOf(plugin).hasFiles);
  const paths = plugins.map(({ path }) => path);
  // npm replaces the folder of a package, which is noticed only in the parent folder.
  const packages = plugins.filter(({ name }) => Packages.includes(name)).map(({ path }) => path);
  const targets = paths.flatMap((path) => {
    const target = tryOs(() => realpathSync(path));
    return target === undefined || target === path ? [] : [target];
  });
  const trees = [...(isOnePlugin ? paths : Directory), ...packages, ...targets].filter(isFolder);
  const isWatched = (file: string) => trees.some((tree) => file.startsWith(`${tree}${sep}`));
  const otherFiles = [...targets.filter((target) => !isFolder(target)), ...server.pluginFiles()];
  return {
    trees,
    files: server.settingsFile === undefined ? [] : [server.settingsFile],
    folders: [
      ...otherFiles
        .filter((file) => !isWatched(file))
        .map(dirname)
        .filter(isFolder),
      ...packages.flatMap(closestFolder),
      ...(isOnePlugin ? Directory.filter(isFolder) : []),
      ...Directory.flatMap((directory) => (isFolder(directory) ? [] : closestFolder(directory))),
    ],
  };
}

const isFolder = (path: string) => tryOs(() => statSync(path).isDirectory()) ?? false;

/** Returns the closest existing parent of a path, in which a missing plugins folder or package may be created. */
function closestFolder(path: string): string[] {
  const parent = dirname(path);
  if (parent === path) return [];
  return isFolder(parent) ? [parent] : closestFolder(parent);
}
