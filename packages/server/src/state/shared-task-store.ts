import {
  RPC_CODES,
  RpcError,
  type RpcErrorObject,
  type SharedTasks,
  type StoredTask,
  type Task,
  type TaskMessage,
  type TaskRunner,
  type TaskStore,
} from '@mortise/mcp';
import type { CancelSignal } from '@mortise/mcp/util';
import { errorCodeEntry } from '@mortise/plugin';
import type { Log } from '../log/log.js';
import { withTimeout } from '../util/with-timeout.js';
import { OtherFormatError } from './format.js';
import { HeldTask } from './held-task.js';
import {
  ignoreUnavailable,
  type StateEntry,
  type StateKey,
  type StateStore,
  StateUnavailableError,
} from './state-store.js';
import {
  decodeMessage,
  decodeTask,
  encodeMessage,
  encodeTask,
  lostError,
  lostTask,
  type TaskRecord,
} from './task-record.js';
import { changesOf, WatchedTasks } from './watched-tasks.js';

export interface SharedTaskOptions {
  readonly store: StateStore;
  /** The name of this replica. */
  readonly replica: string;
  /** The id of this process. No other process has it, not even a later one with the same name. */
  readonly runner: string;
  /** How long a task is kept after its end, or after its last write. */
  readonly keepMs: number;
  /** A task whose replica is silent for longer is in doubt, and half of this time later it is lost. */
  readonly leaseMs: number;
  readonly log: Pick<Log, 'warn'>;
}

/** How often a lease is renewed within its own duration. */
const RENEWALS = 4;

/**
 * Keeps tasks in the store of shared state. A task runs on one replica, which has a lease of it; every replica answers
 * requests about the task (docs/spec/shared.md#tasks).
 */
export class SharedTaskStore implements TaskStore, SharedTasks {
  readonly shared = this;
  readonly #options: SharedTaskOptions;
  /** The tasks that run on this replica, and those whose end is not stored yet. */
  readonly #held = new Map<string, HeldTask>();
  readonly #watched: WatchedTasks;
  readonly #renewals: NodeJS.Timeout;
  #tasks: TaskRunner | undefined;

  private constructor(options: SharedTaskOptions) {
    this.#options = options;
    this.#watched = new WatchedTasks({
      store: options.store,
      read: (taskId) => this.#read(taskId),
      changed: (record) => this.#tasks?.changed(record),
    });
    this.#renewals = setInterval(() => this.#renew(), options.leaseMs / RENEWALS).unref();
  }

  static async open(options: SharedTaskOptions): Promise<SharedTaskStore> {
    const tasks = new SharedTaskStore(options);
    await options.store.subscribe(channelOf(options.runner), (taskId) => tasks.progressed(taskId));
    return tasks;
  }

  connect(tasks: TaskRunner): void {
    this.#tasks = tasks;
  }

  async set(stored: StoredTask): Promise<void> {
    const { taskId } = stored.task;
    const held = this.#held.get(taskId);
    if (held) return held.write(stored);
    const created = new HeldTask(keyOf(taskId), {
      ...this.#options,
      inbox: inboxOf(taskId),
      channel: changesOf(taskId),
      encode: (task) => encodeTask(this.#recordOf(task)),
      current: () => this.#tasks?.current(taskId),
      received: (messages) => this.#receive(taskId, messages),
      lost: () => this.#tasks?.lost(taskId),
      ended: () => void this.#held.delete(taskId),
    });
    await created.create(stored);
    this.#held.set(taskId, created);
  }

  async get(taskId: string): Promise<StoredTask | undefined> {
    try {
      await this.#held.get(taskId)?.renew();
      const current = this.holds(taskId) ? this.#tasks?.current(taskId) : undefined;
      return current ?? (await this.#read(taskId));
    } catch (error) {
      throw unavailable(error);
    }
  }

  holds(taskId: string): boolean {
    return this.#held.get(taskId)?.isLeased ?? false;
  }

  progressed(taskId: string): void {
    this.#held.get(taskId)?.renew().catch(ignoreUnavailable);
  }

  async send(stored: StoredTask, message: TaskMessage): Promise<void> {
    const { store, keepMs } = this.#options;
    const { taskId } = stored.task;
    try {
      const announce = { channel: channelOf((stored as TaskRecord).runner), message: taskId };
      const isTaken = await store.append(inboxOf(taskId), encodeMessage(message), { ttlMs: keepMs, announce });
      if (!isTaken) throw new StateUnavailableError('the task has too many messages that its replica has not read');
    } catch (error) {
      throw unavailable(error);
    }
  }

  endError(isRepeatable: boolean): RpcErrorObject {
    return lostError({ replica: this.#options.replica, isRepeatable });
  }

  watch(task: Task, ended: CancelSignal): void {
    this.#watched.add(task, ended);
  }

  /** Stores the ends of tasks, and those that still run as lost, for at most `withinMs`. */
  async close(withinMs: number): Promise<void> {
    clearInterval(this.#renewals);
    const deadline = performance.now() + withinMs;
    const toLost = (stored: StoredTask) => lostTask(this.#recordOf(stored));
    const settled = [...this.#held.values()].map((held) => held.settle(deadline, toLost));
    await withTimeout(Promise.all(settled), withinMs);
  }

  #recordOf(stored: StoredTask): TaskRecord {
    const { replica, runner, keepMs } = this.#options;
    return { ...stored, replica, runner, keepMs };
  }

  /** Reads a task. If the lease of its replica is over, the task comes into doubt, and later it is lost. */
  async #read(taskId: string): Promise<TaskRecord | undefined> {
    const entry = await this.#options.store.get(keyOf(taskId));
    if (entry === undefined) return undefined;
    const record = decodeTask(entry.value);
    return record.expiresAt !== undefined || entry.isLeased ? record : this.#takeOver(record, entry);
  }

  async #takeOver(record: TaskRecord, { token }: StateEntry): Promise<TaskRecord> {
    const { store, log, replica, leaseMs } = this.#options;
    const { taskId } = record.task;
    const lost = lostTask(record);
    const isTaken = await store.takeOver(keyOf(taskId), token, encodeTask(lost), {
      ttlMs: record.keepMs,
      doubtMs: leaseMs / 2,
      announce: { channel: changesOf(taskId), message: '' },
    });
    if (!isTaken) return record;
    log.warn('A task is lost, because its replica no longer renews its lease', {
      taskId,
      lostBy: record.replica,
      replica,
    });
    return lost;
  }

  #renew(): void {
    for (const held of this.#held.values()) held.renew().catch(ignoreUnavailable);
    this.#watched.lookAll();
  }

  /** Passes the messages of other replicas to a task that runs here. */
  #receive(taskId: string, messages: readonly string[]): void {
    for (const text of messages) {
      try {
        this.#tasks?.receive(taskId, decodeMessage(text));
      } catch (error) {
        if (!(error instanceof OtherFormatError)) throw error;
        this.#options.log.warn('A message for a task was ignored', { taskId, reason: error.message });
      }
    }
  }
}

const keyOf = (taskId: string): StateKey => ({ group: `task:${taskId}`, name: 'task' });
const inboxOf = (taskId: string): StateKey => ({ group: `task:${taskId}`, name: 'inbox' });
const channelOf = (runner: string): string => `runner:${runner}`;

/** Converts the error of a request that needs the store to its answer (docs/spec/shared.md#failures). */
function unavailable(error: unknown): unknown {
  if (!(error instanceof StateUnavailableError) && !(error instanceof OtherFormatError)) return error;
  const { hint, retryAfterMs } = errorCodeEntry('STATE_UNAVAILABLE')!;
  const message = `The state that the replicas share cannot be used now: ${reason(error)}`;
  return new RpcError(RPC_CODES.internalError, message, { code: 'STATE_UNAVAILABLE', hint, retryAfterMs });
}

const reason = (error: Error): string =>
  error instanceof OtherFormatError ? 'another version of Mortise has written it' : error.message;
