import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../log/log.js';
import { tryOs } from '../../util/ignore-os-errors.js';

/** Editors write a file in several steps: a change counts when it has been quiet for this long. */
const QUIET_MS = 40;

/** Tells of changes in plugins folders, and in the folders of plugins. */
export interface PluginWatch {
  /** Watches these folders and `files`, those of them that are `trees` with all below them, instead of the former. */
  watch(watched: { trees: readonly string[]; folders?: readonly string[]; files?: readonly string[] }): void;
  close(): void;
}

/** @param onChange called once for the changes of a moment */
export function watchPlugins(log: Log, onChange: () => void): PluginWatch {
  const watchers = new Map<string, { watcher: FSWatcher; id: string | undefined }>();
  let whole: ReadonlySet<string> = new Set();
  let single: ReadonlySet<string> = new Set();
  let unwatched = 0;
  let timer: NodeJS.Timeout | undefined;

  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET_MS);
  };

  /** The error where it cannot be watched. */
  function start(folder: string): unknown {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || whole.has(folder) || single.has(join(folder, name))) changed();
      });
      watcher.on('error', (error) => {
        log.warn('a folder can no longer be watched', { folder, error: String(error) });
        stop(folder);
      });
      watchers.set(folder, { watcher, id: idOf(folder) });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** One line for all of them, and again only when their number is another: there may be thousands. */
  function report(failed: readonly { folder: string; error: unknown }[]): void {
    const isNew = failed.length !== unwatched;
    unwatched = failed.length;
    if (!isNew || failed.length === 0) return;
    const [{ folder, error }] = failed as [(typeof failed)[0]];
    const hint =
      'Changes there are not detected: reload with builtin.plugins. On Linux fs.inotify.max_user_watches limits how many folders can be watched.';
    log.warn('folders cannot be watched', { folders: failed.length, first: folder, error: String(error), hint });
  }

  function stop(folder: string): void {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  }

  return {
    watch({ trees, folders = [], files = [] }) {
      whole = new Set([...trees.flatMap(withFoldersBelow), ...folders]);
      single = new Set(files);
      const watchedFolders = new Set([...whole, ...files.map((file) => dirname(file))]);
      for (const [folder, { id }] of watchers) if (!watchedFolders.has(folder) || id !== idOf(folder)) stop(folder);
      const missing = [...watchedFolders].filter((folder) => !watchers.has(folder));
      const tried = missing.map((folder) => ({ folder, error: start(folder) }));
      report(tried.filter(({ error }) => error !== undefined));
    },
    close() {
      clearTimeout(timer);
      for (const folder of [...watchers.keys()]) stop(folder);
    },
  };
}

/** Another folder may be in its place: its watcher continues with the one that was moved away. */
function idOf(folder: string): string | undefined {
  const stats = tryOs(() => statSync(folder, { bigint: true, throwIfNoEntry: false }));
  return stats && `${stats.dev} ${stats.ino}`;
}

function withFoldersBelow(folder: string): string[] {
  try {
    const below = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'),
    );
    return [folder, ...below.flatMap((entry) => withFoldersBelow(join(folder, entry.name)))];
  } catch {
    return [];
  }
}
