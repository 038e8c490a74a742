import type { Task } from '../protocol/types.js';

/** A task with what is not sent. */
export interface StoredTask {
  readonly task: Task;
  /** The principal that called; '' where no key was asked for. */
  readonly owner: string;
  /** The name of the tool, as it was called. */
  readonly tool: string;
  /** When it may be forgotten, in milliseconds since 1970; undefined while it has not ended. */
  readonly expiresAt: number | undefined;
}

/** Where tasks are kept. A task is stored when it is created, at each change of its status, and when it has ended. */
export interface TaskStore {
  /** Resolves when {@link get} would find it: its client is not told of it before. */
  set(stored: StoredTask): void | Promise<void>;
  /** Undefined for an id that is unknown or expired. */
  get(taskId: string): StoredTask | undefined | Promise<StoredTask | undefined>;
}

/** How much all results may have that are kept in memory, in characters of JSON. */
const MAX_CHARS = 64 * 1024 * 1024;

interface Entry {
  readonly stored: StoredTask;
  readonly chars: number;
}

/**
 * Keeps tasks in this process. Beyond a total size of results those that have ended first are forgotten.
 * @param maxChars of the JSON of all that have ended
 */
export function createMemoryTaskStore(maxChars = MAX_CHARS): TaskStore {
  const open = new Map<string, StoredTask>();
  /** In the order of their ends, which is that of their expiry: all are kept for the same time. */
  const ended = new Map<string, Entry>();
  let chars = 0;
  let timer: NodeJS.Timeout | undefined;

  function forget(taskId: string, entry: Entry): void {
    ended.delete(taskId);
    chars -= entry.chars;
  }

  function sweep(): void {
    clearTimeout(timer);
    timer = undefined;
    const now = Date.now();
    for (const [taskId, entry] of ended) {
      const leftMs = entry.stored.expiresAt! - now;
      const isKept = leftMs > 0 && (chars <= maxChars || ended.size === 1);
      if (isKept) {
        timer = setTimeout(sweep, Math.min(leftMs, MAX_TIMER_MS)).unref();
        return;
      }
      forget(taskId, entry);
    }
  }

  return {
    set(stored) {
      const { taskId } = stored.task;
      if (stored.expiresAt === undefined) {
        open.set(taskId, stored);
        return;
      }
      open.delete(taskId);
      const entry = { stored, chars: JSON.stringify(stored.task).length };
      ended.set(taskId, entry);
      chars += entry.chars;
      sweep();
    },
    get: (taskId) => open.get(taskId) ?? ended.get(taskId)?.stored,
  };
}

/** The longest time that a timer of Node can have. */
const MAX_TIMER_MS = 2 ** 31 - 1;
