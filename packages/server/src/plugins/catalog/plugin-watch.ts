import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../log/log.js';
import { tryOs } from '../../util/ignore-os-errors.js';

/** Editors write a file in several steps, so changes are reported after this time without another one. */
const QUIET_MS = 40;

interface WatchTargets {
  /** Folders to watch with their subfolders. */
  readonly trees: readonly string[];
  /** Folders to watch without their subfolders. */
  readonly folders?: readonly string[];
  readonly files?: readonly string[];
}

/** Watches plugins folders, the folders of plugins and single files for changes. */
export class PluginWatch {
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, { watcher: FSWatcher; id: string | undefined }>();
  /** Folders in which every change is reported. */
  #wholeFolders: ReadonlySet<string> = new Set();
  /** Files whose folder is watched only for them. */
  #singleFiles: ReadonlySet<string> = new Set();
  #unwatchedCount = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onChange called once for changes that follow each other within 40 ms */
  constructor(log: Log, onChange: () => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Watches these folders and files instead of those of the previous call. */
  watch({ trees, folders = [], files = [] }: WatchTargets): void {
    this.#wholeFolders = new Set([...trees.flatMap(withFoldersBelow), ...folders]);
    this.#singleFiles = new Set(files);
    const toWatch = new Set([...this.#wholeFolders, ...files.map((file) => dirname(file))]);
    for (const [folder, { id }] of this.#watchers) if (!toWatch.has(folder) || id !== idOf(folder)) this.#stop(folder);
    const unwatched = [...toWatch].filter((folder) => !this.#watchers.has(folder));
    const attempts = unwatched.map((folder) => ({ folder, error: this.#start(folder) }));
    this.#report(attempts.filter(({ error }) => error !== undefined));
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const folder of [...this.#watchers.keys()]) this.#stop(folder);
  }

  /** Returns the error if the folder cannot be watched. */
  #start(folder: string): unknown {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || this.#wholeFolders.has(folder) || this.#singleFiles.has(join(folder, name))) {
          this.#changed();
        }
      });
      watcher.on('error', (error) => {
        this.#log.warn('a folder can no longer be watched', { folder, error: String(error) });
        this.#stop(folder);
      });
      this.#watchers.set(folder, { watcher, id: idOf(folder) });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #stop(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, QUIET_MS);
  }

  /** Logs one line for all folders, because there may be thousands, and another one only when their number changes. */
  #report(failed: readonly { folder: string; error: unknown }[]): void {
    const isNew = failed.length !== this.#unwatchedCount;
    this.#unwatchedCount = failed.length;
    const [first] = failed;
    if (!isNew || !first) return;
    const { folder, error } = first;
    const hint =
      'Changes there are not detected: reload with builtin.operate. On Linux fs.inotify.max_user_watches limits how many folders can be watched.';
    this.#log.warn('folders cannot be watched', { folders: failed.length, first: folder, error: String(error), hint });
  }
}

/** Identifies a folder, because a watcher stays with a folder that is moved away when another one takes its path. */
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
