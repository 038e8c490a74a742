import type { Params } from '../json-rpc/messages.js';
import { invalidParams, type RpcError } from '../json-rpc/rpc-error.js';
import type { Task } from '../protocol/types.js';
import { TaskCall, type TaskCallServices, type TaskRequest } from './task-call.js';
import { createMemoryTaskStore, type StoredTask, type TaskStore } from './task-store.js';

/** When calls become tasks, and how many (docs/spec/protocol.md#tasks). */
export interface TaskOptions {
  /** A call that is not answered after so long becomes a task, in milliseconds. Default 20,000. */
  readonly afterMs?: number;
  /** How long a task can be read after its end, in milliseconds. Default 600,000. */
  readonly keepMs?: number;
  /** How long a client may take to answer a question, in milliseconds; then the task is cancelled. Default 3,600,000. */
  readonly answerMs?: number;
  /** How often clients should ask for a task, in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number;
  /** Tasks of all clients that have not ended; a call beyond it stays a call until another has ended. Default 256. */
  readonly maxOpen?: number;
  /** Tasks of one principal that have not ended. Default 64. */
  readonly maxOpenPerPrincipal?: number;
  /** Whether a client may see the task of a call of this tool that its principal has made. Default: yes. */
  readonly isVisible?: (tool: string, authorization: unknown) => boolean;
  /** Default: in memory. */
  readonly store?: TaskStore;
}

/** Who asks for a task. */
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
};

/** What the server does with the table's news. */
export interface TaskEvents {
  /** @param isVisible to a client that listens, as it is now */
  onChange(task: Task, isVisible: (authorization: unknown) => boolean): void;
  onError(error: unknown): void;
}

/** The tasks of all clients. Each is only shown to the principal that called. */
export class TaskTable implements TaskCallServices {
  readonly afterMs: number;
  readonly keepMs: number;
  readonly answerMs: number;
  readonly pollIntervalMs: number;
  readonly #options: Required<Omit<TaskOptions, 'store'>>;
  readonly #store: TaskStore;
  readonly #events: TaskEvents;
  /** The tasks that have not ended, by id. */
  readonly #open = new Map<string, TaskCall>();
  readonly #counts = new Map<string, number>();
  /** When a message of a task was announced last, by id. */
  readonly #announcedAt = new Map<string, number>();

  constructor({ store = createMemoryTaskStore(), ...options }: TaskOptions, events: TaskEvents) {
    this.#options = { ...DEFAULTS, ...options };
    this.afterMs = this.#options.afterMs;
    this.keepMs = this.#options.keepMs;
    this.answerMs = this.#options.answerMs;
    this.pollIntervalMs = this.#options.pollIntervalMs;
    this.#store = store;
    this.#events = events;
  }

  /** A call begins that may become a task. */
  begin(request: TaskRequest): TaskCall {
    return new TaskCall(request, this);
  }

  /** @throws RpcError −32602 for an id that is unknown, expired, another principal's, or of a tool that the reader does not see */
  async get(taskId: string, reader: TaskReader): Promise<Task> {
    const open = this.#openTask(taskId, reader);
    if (open) return open;
    const stored = await this.#store.get(taskId);
    if (!stored || !this.#canSee(reader, stored)) throw notFound();
    return stored.task;
  }

  /** Takes answers. @throws as {@link get} */
  async update(taskId: string, reader: TaskReader, responses: Params): Promise<void> {
    await this.get(taskId, reader);
    this.#open.get(taskId)?.answer(responses);
  }

  /** @throws as {@link get} */
  async cancel(taskId: string, reader: TaskReader): Promise<void> {
    await this.get(taskId, reader);
    this.#open.get(taskId)?.cancel();
  }

  /** The tasks among `taskIds` that have not ended and that the reader may see. */
  openTasks(taskIds: readonly string[], reader: TaskReader): Task[] {
    return [...new Set(taskIds)].map((taskId) => this.#openTask(taskId, reader)).filter((task) => task !== undefined);
  }

  /** Asks the tasks to end that are meant. */
  cancelAll(reason: string, isMeant: (call: Pick<TaskCall, 'authorization'>) => boolean = () => true): void {
    for (const call of [...this.#open.values()]) if (call.task && isMeant(call)) call.cancel(reason);
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

  /** A message alone is announced once in each poll interval. */
  changed({ tool }: TaskCall, task: Task, isStatus: boolean): void {
    const now = performance.now();
    const isDue = now - (this.#announcedAt.get(task.taskId) ?? Number.NEGATIVE_INFINITY) >= this.pollIntervalMs;
    if (!isStatus && !isDue) return;
    if (this.#open.has(task.taskId)) this.#announcedAt.set(task.taskId, now);
    this.#events.onChange(task, (authorization) => this.#options.isVisible(tool, authorization));
  }

  #openTask(taskId: string, reader: TaskReader): Task | undefined {
    const call = this.#open.get(taskId);
    return call && this.#canSee(reader, call) ? call.task : undefined;
  }

  #canSee({ principal = '', authorization }: TaskReader, { owner, tool }: Pick<StoredTask, 'owner' | 'tool'>): boolean {
    return owner === principal && this.#options.isVisible(tool, authorization);
  }
}

function notFound(): RpcError {
  return invalidParams('Task not found: its id is unknown, or the task has expired.');
}
