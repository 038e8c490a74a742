import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../log/log.js';
import { tryOs } from '../../util/ignore-os-errors.js';

/** Editors write a file in several steps: a change counts when it has been quiet for this long. */
const QUIET_MS = 40;

interface Watched {
  /** Watched with all below them. */
  readonly trees: readonly string[];
  readonly folders?: readonly string[];
  readonly files?: readonly string[];
}

/** Tells of changes in plugins folders, and in the folders of plugins. */
export class PluginWatch {
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, { watcher: FSWatcher; id: string | undefined }>();
  /** Folders in which every change counts. */
  #whole: ReadonlySet<string> = new Set();
  /** Files whose changes count alone in their folder. */
  #single: ReadonlySet<string> = new Set();
  #unwatchedCount = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onChange called once for the changes of a moment */
  constructor(log: Log, onChange: () => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Watches these instead of the former. */
  watch({ trees, folders = [], files = [] }: Watched): void {
    this.#whole = new Set([...trees.flatMap(withFoldersBelow), ...folders]);
    this.#single = new Set(files);
    const all = new Set([...this.#whole, ...files.map((file) => dirname(file))]);
    for (const [folder, { id }] of this.#watchers) if (!all.has(folder) || id !== idOf(folder)) this.#stop(folder);
    const missing = [...all].filter((folder) => !this.#watchers.has(folder));
    const tried = missing.map((folder) => ({ folder, error: this.#start(folder) }));
    this.#report(tried.filter(({ error }) => error !== undefined));
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const folder of [...this.#watchers.keys()]) this.#stop(folder);
  }

  /** The error if it cannot be watched. */
  #start(folder: string): unknown {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || this.#whole.has(folder) || this.#single.has(join(folder, name))) this.#changed();
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

  /** Logs one line for all of them, and again only when their number is another: there may be thousands. */
  #report(failed: readonly { folder: string; error: unknown }[]): void {
    const isNew = failed.length !== this.#unwatchedCount;
    this.#unwatchedCount = failed.length;
    const [first] = failed;
    if (!isNew || !first) return;
    const { folder, error } = first;
    const hint =
      'Changes there are not detected: reload with builtin.plugins. On Linux fs.inotify.max_user_watches limits how many folders can be watched.';
    this.#log.warn('folders cannot be watched', { folders: failed.length, first: folder, error: String(error), hint });
  }
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
