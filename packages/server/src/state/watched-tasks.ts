import type { Task } from '@mortise/mcp';
import type { CancelSignal } from '@mortise/mcp/util';
import { ignoreUnavailable, type StateStore } from './state-store.js';
import type { TaskRecord } from './task-record.js';

interface Watch {
  /** The number of requests that watch the task. */
  count: number;
  /** The task as it was announced last, as JSON. */
  announced: string;
}

export interface WatchedTasksOptions {
  readonly store: StateStore;
  read(taskId: string): Promise<TaskRecord | undefined>;
  changed(record: TaskRecord): void;
}

/** The tasks of other replicas whose changes clients of this replica have asked for. */
export class WatchedTasks {
  readonly #options: WatchedTasksOptions;
  readonly #watches = new Map<string, Watch>();

  constructor(options: WatchedTasksOptions) {
    this.#options = options;
  }

  /** Watches a task until `ended` fires. @param task as the client knows it */
  add(task: Task, ended: CancelSignal): void {
    const { taskId } = task;
    if (ended.aborted) return;
    const watch = this.#watches.get(taskId) ?? { count: 0, announced: '' };
    watch.count += 1;
    watch.announced = JSON.stringify(task);
    if (watch.count === 1) {
      this.#watches.set(taskId, watch);
      const { store } = this.#options;
      void store.subscribe(changesOf(taskId), () => void this.#look(taskId)).catch(ignoreUnavailable);
    }
    ended.addEventListener('abort', () => {
      watch.count -= 1;
      if (watch.count === 0) this.#remove(taskId, watch);
    });
    void this.#look(taskId);
  }

  /** Finds changes whose message was lost, and tasks whose replica is silent. */
  lookAll(): void {
    for (const taskId of this.#watches.keys()) void this.#look(taskId);
  }

  async #look(taskId: string): Promise<void> {
    // A record that cannot be read now is read at the next renewal of leases.
    const record = await this.#options.read(taskId).catch(() => undefined);
    const watch = this.#watches.get(taskId);
    if (!record || !watch) return;
    const text = JSON.stringify(record.task);
    if (text === watch.announced) return;
    watch.announced = text;
    if (record.expiresAt !== undefined) this.#remove(taskId, watch);
    this.#options.changed(record);
  }

  #remove(taskId: string, watch: Watch): void {
    if (this.#watches.get(taskId) !== watch) return;
    this.#watches.delete(taskId);
    void this.#options.store.unsubscribe(changesOf(taskId)).catch(ignoreUnavailable);
  }
}

/** The channel that gets a message at each change of a task. */
export const changesOf = (taskId: string): string => `task:${taskId}`;
