import type { Params } from '../json-rpc/messages.js';
import { invalidParams, type RpcError } from '../json-rpc/rpc-error.js';
import type { Task } from '../protocol/types.js';
import type { CancelSignal } from '../util/cancel-source.js';
import { TaskCall, type TaskCallServices, type TaskRequest } from './task-call.js';
import { createMemoryTaskStore, type StoredTask, type TaskMessage, type TaskStore } from './task-store.js';

/** The rules by which calls become tasks (docs/spec/protocol.md#tasks). */
export interface TaskOptions {
  /** A call that takes longer becomes a task. Default 20,000. */
  readonly afterMs?: number;
  /** The time during which a task can be read after its end. Default 600,000. */
  readonly keepMs?: number;
  /** The time that a client has to answer a question before the task is cancelled. Default 3,600,000. */
  readonly answerMs?: number;
  /** The interval at which clients should ask for a task. Default 1,000. */
  readonly pollIntervalMs?: number;
  /** The maximum number of running tasks of all clients. Beyond it a call tries again after `afterMs`. Default 256. */
  readonly maxOpen?: number;
  /** The maximum number of running tasks of one principal. Default 64. */
  readonly maxOpenPerPrincipal?: number;
  /** Whether a client may see its principal's tasks of this tool. Default: it may. */
  readonly isVisible?: (tool: string, authorization: unknown) => boolean;
  /** Whether a call of this tool can be repeated without a further effect. Default: it cannot. */
  readonly isRepeatable?: (tool: string, authorization: unknown) => boolean;
  /** Default: in memory. */
  readonly store?: TaskStore;
}

/** The client that asks for a task. */
export interface TaskReader {
  readonly principal: string | undefined;
  readonly authorization: unknown;
}

const DEFAULTS = {
  afterMs: 20_000,
  keepMs: 600_000,
  answerMs: 3_600_000,
  pollIntervalMs: 1_000,
  maxOpen: 256,
  maxOpenPerPrincipal: 64,
  isVisible: () => true,
  isRepeatable: () => false,
};

const LOST = 'The server lost its lease of the task, so its result is not kept.';

/** The events of a task table. */
export interface TaskEvents {
  /** Called when a task has changed. @param isVisible whether a client may see the task */
  onChange(task: Task, isVisible: (reader: TaskReader) => boolean): void;
  onError(error: unknown): void;
}

/** The tasks of all clients. A task is only shown to the principal that called. */
export class TaskTable implements TaskCallServices {
  readonly afterMs: number;
  readonly keepMs: number;
  readonly answerMs: number;
  readonly pollIntervalMs: number;
  readonly #options: Required<Omit<TaskOptions, 'store'>>;
  readonly #store: TaskStore;
  readonly #events: TaskEvents;
  /** The running tasks by id. */
  readonly #open = new Map<string, TaskCall>();
  readonly #counts = new Map<string, number>();
  /** The time of the last announcement of each task, by id. */
  readonly #announcedAt = new Map<string, number>();

  constructor({ store = createMemoryTaskStore(), ...options }: TaskOptions, events: TaskEvents) {
    this.#options = { ...DEFAULTS, ...options };
    this.afterMs = this.#options.afterMs;
    this.keepMs = this.#options.keepMs;
    this.answerMs = this.#options.answerMs;
    this.pollIntervalMs = this.#options.pollIntervalMs;
    this.#store = store;
    this.#events = events;
    store.shared?.connect({
      current: (taskId) => this.#open.get(taskId)?.stored,
      receive: (taskId, message) => this.#receive(taskId, message),
      lost: (taskId) => this.#open.get(taskId)?.cancel(LOST),
      changed: (stored) => this.#announce(stored.task, stored),
    });
  }

  get runningCount(): number {
    return this.#open.size;
  }

  /** Makes a call that may become a task. */
  begin(request: Omit<TaskRequest, 'isRepeatable'>): TaskCall {
    const isRepeatable = () => this.#options.isRepeatable(request.tool, request.authorization);
    return new TaskCall({ ...request, isRepeatable }, this);
  }

  /** @throws RpcError −32602 if the id is unknown or expired, or the reader may not see the task */
  async get(taskId: string, reader: TaskReader): Promise<Task> {
    const open = this.#openTask(taskId, reader);
    if (open && this.#store.shared?.holds(taskId) !== false) return open;
    return (await this.#find(taskId, reader)).task;
  }

  /** Passes answers to a task. @throws as {@link get} */
  async update(taskId: string, reader: TaskReader, responses: Params): Promise<void> {
    await this.#send(taskId, reader, { kind: 'answers', responses });
  }

  /** @throws as {@link get} */
  async cancel(taskId: string, reader: TaskReader): Promise<void> {
    await this.#send(taskId, reader, { kind: 'cancel' });
  }

  /**
   * The tasks among `taskIds` that have not ended and that the reader may see.
   * @throws RpcError if the store, which several servers share, cannot be used now
   */
  openTasks(taskIds: readonly string[], reader: TaskReader): readonly Task[] | Promise<readonly Task[]> {
    const find = (taskId: string) => this.#openTask(taskId, reader) ?? this.#openElsewhere(taskId, reader);
    const found = [...new Set(taskIds)].map(find);
    const isTask = (task: Task | undefined) => task !== undefined;
    return this.#store.shared
      ? Promise.all(found).then((tasks) => tasks.filter(isTask))
      : (found as (Task | undefined)[]).filter(isTask);
  }

  /** Announces the changes of the tasks in the list that other servers run, until `ended` fires. */
  watch(tasks: readonly Task[], ended: CancelSignal): void {
    for (const task of tasks) if (!this.#open.has(task.taskId)) this.#store.shared?.watch(task, ended);
  }

  /** Cancels the tasks that `isMeant` selects. */
  cancelAll(reason: string, isMeant: (call: Pick<TaskCall, 'authorization'>) => boolean): void {
    for (const call of [...this.#open.values()]) if (call.task && isMeant(call)) call.cancel(reason);
  }

  /** Cancels all tasks because the server ends. If several servers share the store, the tasks fail instead. */
  stop(): void {
    const { shared } = this.#store;
    for (const call of [...this.#open.values()]) {
      if (call.stored) call.cancel('The server is shutting down.', shared?.endError(call.stored.isRepeatable));
    }
  }

  admit(call: TaskCall): boolean {
    const { maxOpen, maxOpenPerPrincipal } = this.#options;
    const count = this.#counts.get(call.owner) ?? 0;
    if (count >= maxOpenPerPrincipal || this.#open.size >= maxOpen) return false;
    this.#open.set(call.id, call);
    this.#counts.set(call.owner, count + 1);
    return true;
  }

  release(call: TaskCall): void {
    if (!this.#open.delete(call.id)) return;
    this.#announcedAt.delete(call.id);
    const count = this.#counts.get(call.owner)! - 1;
    if (count > 0) this.#counts.set(call.owner, count);
    else this.#counts.delete(call.owner);
  }

  async store(stored: StoredTask): Promise<void> {
    try {
      await this.#store.set(stored);
    } catch (error) {
      this.#events.onError(error);
      throw error;
    }
  }

  /** Announces each status, but a change of the message alone only once in each poll interval. */
  changed(call: TaskCall, task: Task, isStatus: boolean): void {
    const now = performance.now();
    const isDue = now - (this.#announcedAt.get(task.taskId) ?? Number.NEGATIVE_INFINITY) >= this.pollIntervalMs;
    if (!isStatus && !isDue) return;
    if (this.#open.has(task.taskId)) this.#announcedAt.set(task.taskId, now);
    if (!isStatus) this.#store.shared?.progressed(task.taskId);
    this.#announce(task, call);
  }

  #announce(task: Task, owned: Pick<StoredTask, 'owner' | 'tool'>): void {
    this.#events.onChange(task, (reader) => this.#canSee(reader, owned));
  }

  /** Passes a message to the task, which another server may run. */
  async #send(taskId: string, reader: TaskReader, message: TaskMessage): Promise<void> {
    if (this.#openTask(taskId, reader)) return this.#receive(taskId, message);
    const stored = await this.#find(taskId, reader);
    if (stored.expiresAt === undefined) await this.#store.shared?.send(stored, message);
  }

  async #find(taskId: string, reader: TaskReader): Promise<StoredTask> {
    const stored = await this.#store.get(taskId);
    if (!stored || !this.#canSee(reader, stored)) throw notFound();
    return stored;
  }

  #receive(taskId: string, message: TaskMessage): void {
    const call = this.#open.get(taskId);
    if (message.kind === 'answers') call?.answer(message.responses);
    else call?.cancel();
  }

  #openTask(taskId: string, reader: TaskReader): Task | undefined {
    const call = this.#open.get(taskId);
    return call && this.#canSee(reader, call) ? call.task : undefined;
  }

  #openElsewhere(taskId: string, reader: TaskReader): Promise<Task | undefined> | undefined {
    if (!this.#store.shared || this.#open.has(taskId)) return undefined;
    return Promise.resolve(this.#store.get(taskId)).then((stored) =>
      stored && stored.expiresAt === undefined && this.#canSee(reader, stored) ? stored.task : undefined,
    );
  }

  #canSee({ principal = '', authorization }: TaskReader, { owner, tool }: Pick<StoredTask, 'owner' | 'tool'>): boolean {
    return owner === principal && this.#options.isVisible(tool, authorization);
  }
}

function notFound(): RpcError {
  return invalidParams('Task not found: its id is unknown, or the task has expired.');
}
