import type { Params } from '../json-rpc/messages.js';
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { Task } from '../protocol/types.js';
import type { CancelSignal } from '../util/cancel-source.js';

/** A task with the data that clients do not see. */
export interface StoredTask {
  readonly task: Task;
  /** The principal that called; '' if the server asks for no key. */
  readonly owner: string;
  /** The name of the tool, as it was called. */
  readonly tool: string;
  /** The time after which it may be deleted, in milliseconds since 1970; undefined until it has ended. */
  readonly expiresAt: number | undefined;
  /** True if the call can be repeated without a further effect, should its result be lost. */
  readonly isRepeatable: boolean;
}

/** A message for the server that runs a task. */
export type TaskMessage = { readonly kind: 'answers'; readonly responses: Params } | { readonly kind: 'cancel' };

/** The members of a server that runs tasks which a store needs, if several servers share the store. */
export interface TaskRunner {
  /** The present state of a task that runs here, with its last progress. */
  current(taskId: string): StoredTask | undefined;
  /** Passes a message of another server to a task that runs here. */
  receive(taskId: string, message: TaskMessage): void;
  /** Ends the work of a task that another server has declared lost. */
  lost(taskId: string): void;
  /** Announces a change of a task that another server runs. */
  changed(stored: StoredTask): void;
}

/** The part of a store that several servers share. */
export interface SharedTasks {
  /** Called once, by the server whose tasks the store keeps. */
  connect(runner: TaskRunner): void;
  /** True if this server is known to run the task. Does not ask the other servers. */
  holds(taskId: string): boolean;
  /** Called when a task that runs here has new progress, at most once in each poll interval. */
  progressed(taskId: string): void;
  /** The error of a task that ends because this server ends. @param isRepeatable as in {@link StoredTask} */
  endError(isRepeatable: boolean): RpcErrorObject;
  /**
   * Passes a message to the server that runs the task.
   * @param stored as the store has returned it @throws RpcError if that is not possible now
   */
  send(stored: StoredTask, message: TaskMessage): Promise<void>;
  /**
   * Reports the changes of a task that another server runs to {@link TaskRunner.changed}, until `ended` fires.
   * @param task as the client knows it
   */
  watch(task: Task, ended: CancelSignal): void;
}

/** Keeps tasks. A task is stored when it is created, at each change of its status, and when it has ended. */
export interface TaskStore {
  /** Stores a task. Its client is told about it only after the promise has resolved. */
  set(stored: StoredTask): void | Promise<void>;
  /** @returns undefined if the id is unknown or expired */
  get(taskId: string): StoredTask | undefined | Promise<StoredTask | undefined>;
  /** Present if several servers share the store: then each of them answers for the tasks of all. */
  readonly shared?: SharedTasks;
}

/** The default limit of all results that are kept in memory, in characters of JSON. */
const MAX_CHARS = 64 * 1024 * 1024;

interface Entry {
  readonly stored: StoredTask;
  readonly chars: number;
}

/**
 * Keeps tasks in this process. If all ended tasks together exceed the limit, those that ended first are deleted.
 * @param maxChars the limit in characters of JSON
 */
export function createMemoryTaskStore(maxChars = MAX_CHARS): TaskStore {
  const open = new Map<string, StoredTask>();
  /** Sorted by the time of their end. This is also the order in which they expire, because all are kept for the same time. */
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
      const remainingMs = entry.stored.expiresAt! - now;
      const isKept = remainingMs > 0 && (chars <= maxChars || ended.size === 1);
      if (isKept) {
        timer = setTimeout(sweep, Math.min(remainingMs, MAX_TIMER_MS)).unref();
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

/** The longest delay of a timer of Node. */
const MAX_TIMER_MS = 2 ** 31 - 1;
