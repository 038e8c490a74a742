import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log.js';

/** Editors write a file in several steps: a change counts when it has been quiet for this long. */
const QUIET_MS = 40;

/** Tells of changes in plugins folders, and in the folders of plugins. */
export interface PluginWatch {
  /** Watches these folders, and those below them, instead of the former. */
  watch(folders: readonly string[]): void;
  close(): void;
}

/** @param onChange called once for the changes of a moment */
export function watchPlugins(log: Log, onChange: () => void): PluginWatch {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;

  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET_MS);
  };

  function start(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', (error) => {
        log.warn('a folder cannot be watched any more', { folder, error: String(error) });
        stop(folder);
      });
      watchers.set(folder, watcher);
    } catch (error) {
      log.warn('a folder cannot be watched', { folder, error: String(error) });
    }
  }

  function stop(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  return {
    watch(folders) {
      const wanted = new Set(folders.flatMap(withFoldersBelow));
      for (const folder of watchers.keys()) if (!wanted.has(folder)) stop(folder);
      for (const folder of wanted) if (!watchers.has(folder)) start(folder);
    },
    close() {
      clearTimeout(timer);
      for (const folder of [...watchers.keys()]) stop(folder);
    },
  };
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
