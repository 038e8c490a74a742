import { randomBytes } from 'node:crypto';
import type { Params } from '../json-rpc/messages.js';
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { CreateTaskResult, InputRequiredResult, Progress, Result, Task } from '../protocol/types.js';
import type { CancelSignal } from '../util/cancel-source.js';
import { type InputRequests, TaskQuestions } from './task-questions.js';
import type { StoredTask } from './task-store.js';

/** What a call that may become a task needs of its request. */
export interface TaskRequest {
  readonly principal: string | undefined;
  /** What the client may do. */
  readonly authorization: unknown;
  /** The name of the tool that is called. */
  readonly tool: string;
  readonly signal: CancelSignal;
  /** Ends the handler. */
  cancel(): void;
  /** Runs the handler again, with these parameters in addition. */
  again(params: Params): Result | Promise<Result>;
  /** The result as it is sent. @throws for a result without JSON */
  toResult(result: Result): Result;
  /** The error as it is sent. */
  toError(error: unknown): RpcErrorObject;
}

/** What the calls of all clients share. */
export interface TaskCallServices {
  /** A call that is not answered after this time becomes a task, in milliseconds; Infinity: none does. */
  readonly afterMs: number;
  readonly keepMs: number;
  readonly answerMs: number;
  readonly pollIntervalMs: number;
  /** Counts it as a task. @returns whether there may be one more */
  admit(call: TaskCall): boolean;
  /** The task was not created after all, or has ended. */
  release(call: TaskCall): void;
  store(stored: StoredTask): Promise<void>;
  /** The task has changed. @param isStatus its status, not only its message */
  changed(call: TaskCall, task: Task, isStatus: boolean): void;
}

const ID_BYTES = 16;

type State = Pick<Task, 'status'> & Partial<{ statusMessage: string } & Record<'result' | 'error', object>>;

/**
 * A call of a client that knows tasks. It is answered by its result, or after a time by a task, in which its handler
 * continues (docs/spec/protocol.md#tasks).
 */
export class TaskCall {
  readonly owner: string;
  readonly tool: string;
  readonly authorization: unknown;
  readonly #request: TaskRequest;
  readonly #services: TaskCallServices;
  #overdueTimer: NodeJS.Timeout | undefined;
  readonly #questions = new TaskQuestions();
  readonly #createdListeners: (() => void)[] = [];
  #id: string | undefined;
  #task: Task | undefined;
  #createTask: (() => void) | undefined;
  #createdAt = 0;
  #progressMessage: string | undefined;
  #cancelReason: string | undefined;
  /** How many wait for answers without a signal that ends it. */
  #timedAsks = 0;
  #answerTimer: NodeJS.Timeout | undefined;
  #isEnded = false;
  /** The last change is stored: changes are stored one after another. */
  #stored: Promise<void> = Promise.resolve();

  constructor(request: TaskRequest, services: TaskCallServices) {
    this.owner = request.principal ?? '';
    this.tool = request.tool;
    this.authorization = request.authorization;
    this.#request = request;
    this.#services = services;
  }

  /** The id of the task; most calls need none. */
  get id(): string {
    this.#id ??= randomBytes(ID_BYTES).toString('base64url');
    return this.#id;
  }

  /** As it is now; undefined while it is a call like any other. */
  get task(): Task | undefined {
    return this.#task;
  }

  /** Calls the listener when the call becomes a task, or immediately if it is one. */
  onCreated(listener: () => void): void {
    if (this.#task) listener();
    else this.#createdListeners.push(listener);
  }

  /** @returns what answers the request: the result of the work, or a task if that takes too long */
  follow(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let isTask = false;
      this.#createTask = () => {
        isTask = true;
        this.#create(work).then(resolve, reject);
      };
      const settle = (answer: () => void) => {
        if (isTask) return;
        clearTimeout(this.#overdueTimer);
        answer();
      };
      this.#wait();
      work.then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  #wait(): void {
    const { afterMs } = this.#services;
    if (afterMs !== Number.POSITIVE_INFINITY) this.#overdueTimer = setTimeout(() => this.#overdue(), afterMs);
  }

  /** It was not answered in time: it becomes a task, or waits as long again if there are too many. */
  #overdue(): void {
    if (this.#request.signal.aborted) return;
    if (this.#services.admit(this)) this.#createTask!();
    else this.#wait();
  }

  /** How far the handler has come. */
  progress({ progress, total, message = '' }: Progress): void {
    const percent = total === undefined || total <= 0 ? '' : `${Math.floor((100 * progress) / total)} %`;
    const text = [percent, message].filter((part) => part !== '').join(': ');
    if (text === '' || text === this.#progressMessage) return;
    this.#progressMessage = text;
    if (this.#task?.status !== 'working' || this.#cancelReason !== undefined) return;
    this.#set({ status: 'working', statusMessage: text });
    this.#services.changed(this, this.#task, false);
  }

  /**
   * Asks the client while the handler waits. Only in a task.
   * @param signal withdraws the questions. Without it the task is cancelled if no answer comes within `answerMs`
   * @returns the client's answers by the same keys
   * @throws Error when the task was cancelled or the signal fired
   */
  async ask(requests: InputRequests, signal?: CancelSignal): Promise<Params> {
    if (this.#cancelReason !== undefined) throw new Error(this.#cancelReason);
    const { answers, withdraw } = this.#questions.ask(requests);
    if (signal === undefined) this.#timedAsks += 1;
    signal?.addEventListener('abort', () => {
      if (withdraw(new Error('The questions were withdrawn.'))) this.#questionsChanged();
    });
    this.#questionsChanged();
    try {
      return await answers;
    } finally {
      if (signal === undefined) this.#timedAsks -= 1;
    }
  }

  /** Takes answers to what is open; all others are ignored. */
  answer(responses: Params): void {
    if (this.#questions.answer(responses)) this.#questionsChanged();
  }

  /** The handler is asked to end: the task is `cancelled` unless the handler has a result by then. */
  cancel(reason = 'The client has cancelled the task.'): void {
    if (this.#isEnded || this.#cancelReason !== undefined) return;
    this.#cancelReason = reason;
    clearTimeout(this.#answerTimer);
    this.#request.cancel();
    this.#questions.drop(new Error(reason));
    this.#saved({ status: 'working', statusMessage: reason });
  }

  /** A call whose task cannot be stored stays a call. */
  async #create(work: Promise<Result>): Promise<Result> {
    const { pollIntervalMs } = this.#services;
    this.#createdAt = Date.now();
    const createdAt = new Date(this.#createdAt).toISOString();
    const message = this.#progressMessage;
    const task = {
      taskId: this.id,
      status: 'working' as const,
      ...(message !== undefined && { statusMessage: message }),
      ...{ createdAt, lastUpdatedAt: createdAt, ttlMs: null, pollIntervalMs },
    };
    try {
      await this.#services.store({ task, owner: this.owner, tool: this.tool, expiresAt: undefined });
    } catch {
      this.#services.release(this);
      return work;
    }
    this.#task = task;
    for (const listener of this.#createdListeners) listener();
    void this.#finish(work);
    return { resultType: 'task', ...task } satisfies CreateTaskResult;
  }

  async #finish(work: Promise<Result>): Promise<void> {
    this.#end(await this.#outcomeOf(work));
  }

  async #outcomeOf(work: Promise<Result>): Promise<State> {
    const cancelled = (): State => ({ status: 'cancelled', statusMessage: this.#cancelReason! });
    try {
      let result = await work;
      while (isInputRequired(result)) result = await this.#nextRound(result);
      const isCancelled = this.#cancelReason !== undefined && 'isError' in result && result.isError === true;
      return isCancelled ? cancelled() : { status: 'completed', result: this.#request.toResult(result) };
    } catch (error) {
      if (this.#cancelReason !== undefined) return cancelled();
      const object = this.#request.toError(error);
      return { status: 'failed', statusMessage: object.message, error: object };
    }
  }

  /** The handler was left to ask, and runs again from its start with the answers. */
  async #nextRound({ inputRequests, requestState }: InputRequiredResult): Promise<Result> {
    const inputResponses = await this.ask(inputRequests);
    return this.#request.again({ inputResponses, ...(requestState !== undefined && { requestState }) });
  }

  #questionsChanged(): void {
    if (this.#isEnded || this.#cancelReason !== undefined) return;
    clearTimeout(this.#answerTimer);
    const message = this.#progressMessage;
    if (this.#questions.isEmpty) {
      this.#saved({ status: 'working', ...(message !== undefined && { statusMessage: message }) });
      return;
    }
    const { answerMs } = this.#services;
    if (this.#timedAsks > 0)
      this.#answerTimer = setTimeout(() => this.cancel(`No answer came within ${answerMs} ms.`), answerMs).unref();
    this.#saved({ status: 'input_required', inputRequests: this.#questions.open } as State);
  }

  #end(state: State): void {
    this.#isEnded = true;
    clearTimeout(this.#answerTimer);
    this.#questions.drop(new Error('The task has ended.'));
    this.#saved(state);
  }

  /** The task has another status from here on. */
  #saved(state: State): void {
    this.#set(state);
    const task = this.#task!;
    const expiresAt = this.#isEnded ? Date.parse(task.createdAt) + task.ttlMs! : undefined;
    const store = () => this.#services.store({ task, owner: this.owner, tool: this.tool, expiresAt });
    this.#stored = this.#stored.then(store, store);
    if (expiresAt !== undefined) {
      const release = () => this.#services.release(this);
      this.#stored.then(release, release);
    }
    this.#services.changed(this, task, true);
  }

  #set(state: State): void {
    const { taskId, createdAt, pollIntervalMs } = this.#task!;
    const now = Date.now();
    const ttlMs = this.#isEnded ? now - this.#createdAt + this.#services.keepMs : null;
    const lastUpdatedAt = new Date(now).toISOString();
    this.#task = { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, ...state } as Task;
  }
}

function isInputRequired(result: Result): result is InputRequiredResult {
  return result.resultType === 'input_required';
}
