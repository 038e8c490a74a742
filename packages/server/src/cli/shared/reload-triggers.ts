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
  /** Also when a file of a plugin changes. */
  watch: boolean;
  /** A terminal's SIGHUP means its end; without one it means: read again. */
  hasTerminal: boolean;
  /** Watches the plugins that are loaded, instead of all that the plugins folders hold. */
  isOnePlugin?: boolean;
  /** Called after each reload that succeeded, with its duration in milliseconds; default: a line of the log. */
  report?(report: ReloadReport, ms: number): void;
}

/** Reloads the plugins at SIGHUP where there is no controlling terminal and, if asked, when their files change. */
export function watchReloadTriggers(server: Server, log: Log, options: ReloadOptions): ReloadTriggers {
  const { watch, hasTerminal, isOnePlugin = false } = options;
  const watching = watch ? new PluginWatch(log, () => void reload('a file changed')) : undefined;

  async function reload(why: string): Promise<void> {
    try {
      const startedAt = performance.now();
      const report = await server.reload();
      watching?.watch(watchedPathsOf(server, isOnePlugin));
      if (options.report) options.report(report, Math.round(performance.now() - startedAt));
      else log.info('plugins reloaded', { why, ...report });
    } catch (error) {
      log.error('plugins could not be reloaded', { why, error: String(error) });
    }
  }

  const onHangup = () => void reload('SIGHUP');
  if (!hasTerminal) process.on('SIGHUP', onHangup);
  if (watching) void server.ready().then(() => watching.watch(watchedPathsOf(server, isOnePlugin)));

  return {
    stop() {
      process.off('SIGHUP', onHangup);
      watching?.close();
    },
  };
}

/**
 * The settings file, the plugins folders and the packages with what lies below them, where the links in them lead, and the folders of helpers
 * elsewhere.
 */
function watchedPathsOf(server: Server, isOnePlugin: boolean): { trees: string[]; folders: string[]; files: string[] } {
  const { Directory, Packages } = server.settings.Plugins;
  const plugins = server.plugins().filter((plugin) => traitsOf(plugin).hasFiles);
  const paths = plugins.map(({ path }) => path);
  // npm replaces the folder of a package: the folder that it is in tells of that.
  const packages = plugins.filter(({ name }) => Packages.includes(name)).map(({ path }) => path);
  const targets = paths.flatMap((path) => {
    const target = tryOs(() => realpathSync(path));
    return target === undefined || target === path ? [] : [target];
  });
  const trees = [...(isOnePlugin ? paths : Directory), ...packages, ...targets].filter(isFolder);
  const isWatched = (file: string) => trees.some((tree) => file.startsWith(`${tree}${sep}`));
  const elsewhere = [...targets.filter((target) => !isFolder(target)), ...server.pluginFiles()];
  return {
    trees,
    files: server.settingsFile === undefined ? [] : [server.settingsFile],
    folders: [
      ...elsewhere
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

/** Where a plugins folder or a package that does not exist may come to be. */
function closestFolder(path: string): string[] {
  const above = dirname(path);
  if (above === path) return [];
  return isFolder(above) ? [above] : closestFolder(above);
}
