import { randomBytes } from 'node:crypto';
import type { Params } from '../json-rpc/messages.js';
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { CreateTaskResult, InputRequiredResult, Progress, Result, Task } from '../protocol/types.js';
import type { CancelSignal } from '../util/cancel-source.js';
import { type InputRequests, TaskQuestions } from './task-questions.js';
import type { StoredTask } from './task-store.js';

/** The request of a call that may become a task. */
export interface TaskRequest {
  readonly principal: string | undefined;
  readonly authorization: unknown;
  /** The name of the tool that is called. */
  readonly tool: string;
  /** Whether the call can be repeated without a further effect. Asked only when the call becomes a task. */
  isRepeatable(): boolean;
  readonly signal: CancelSignal;
  /** Asks the handler to end. */
  cancel(): void;
  /** Runs the handler again with additional parameters. */
  again(params: Params): Result | Promise<Result>;
  /** Converts a result to the form in which it is sent. @throws if JSON cannot hold it */
  toResult(result: Result): Result;
  /** Converts an error to the form in which it is sent. */
  toError(error: unknown): RpcErrorObject;
}

/** The services that the calls of all clients share. */
export interface TaskCallServices {
  /** A call that takes longer becomes a task; with Infinity no call does. */
  readonly afterMs: number;
  readonly keepMs: number;
  readonly answerMs: number;
  readonly pollIntervalMs: number;
  /** Counts the call as a task. @returns false if there are too many tasks */
  admit(call: TaskCall): boolean;
  /** Call this for an admitted call when its task has ended, or could not be created. */
  release(call: TaskCall): void;
  store(stored: StoredTask): Promise<void>;
  /** Announces that the task has changed. @param isStatus whether its status has changed, not only its message */
  changed(call: TaskCall, task: Task, isStatus: boolean): void;
}

const ID_BYTES = 16;

type State = Pick<Task, 'status'> & Partial<{ statusMessage: string } & Record<'result' | 'error', object>>;

/**
 * A call of a client that declares the tasks extension. It is answered with its result, or after `afterMs` with a task in
 * which the handler continues (docs/spec/protocol.md#tasks).
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
  #isRepeatable = false;
  #progressMessage: string | undefined;
  #cancelReason: string | undefined;
  /** The error with which a cancelled task fails; undefined if it becomes `cancelled`. */
  #cancelError: RpcErrorObject | undefined;
  /** The number of questions that have a deadline, because no signal of the asker ends them. */
  #timedAsks = 0;
  #answerTimer: NodeJS.Timeout | undefined;
  #isEnded = false;
  /** Resolves when the last change is stored. Changes are stored one after another. */
  #stored: Promise<void> = Promise.resolve();

  constructor(request: TaskRequest, services: TaskCallServices) {
    this.owner = request.principal ?? '';
    this.tool = request.tool;
    this.authorization = request.authorization;
    this.#request = request;
    this.#services = services;
  }

  /** The id of the task. It is made at the first use, because most calls need none. */
  get id(): string {
    this.#id ??= randomBytes(ID_BYTES).toString('base64url');
    return this.#id;
  }

  /** The current state of the task, or undefined if the call has not become one. */
  get task(): Task | undefined {
    return this.#task;
  }

  /** The task as it is stored, or undefined if the call has not become one. */
  get stored(): StoredTask | undefined {
    const task = this.#task;
    if (task === undefined) return undefined;
    const expiresAt = this.#isEnded ? Date.parse(task.createdAt) + task.ttlMs! : undefined;
    return { task, owner: this.owner, tool: this.tool, expiresAt, isRepeatable: this.#isRepeatable };
  }

  /** Calls the listener when the call becomes a task, or immediately if it is one. */
  onCreated(listener: () => void): void {
    if (this.#task) listener();
    else this.#createdListeners.push(listener);
  }

  /** @returns the answer to the request: the result of the work, or a task if the work takes too long */
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

  /** Turns the call into a task, or waits again if there are too many tasks. */
  #overdue(): void {
    if (this.#request.signal.aborted) return;
    if (this.#services.admit(this)) this.#createTask!();
    else this.#wait();
  }

  /** Takes the handler's progress as the status message of the task. */
  progress({ progress, total, message = '' }: Progress): void {
    const percent = total === undefined || total <= 0 ? '' : `${Math.floor((100 * progress) / total)} %`;
    const text = [percent, message].filter((part) => part !== '').join(': ');
    if (text === '' || text === this.#progressMessage) return;
    this.#progressMessage = text;
    this.#showProgress();
  }

  #showProgress(): void {
    const statusMessage = this.#progressMessage;
    if (this.#task?.status !== 'working' || this.#cancelReason !== undefined) return;
    if (statusMessage === undefined || statusMessage === this.#task.statusMessage) return;
    this.#set({ status: 'working', statusMessage });
    this.#services.changed(this, this.#task, false);
  }

  /**
   * Asks the client of a task while the handler waits.
   * @param signal withdraws the questions. Without it the task is cancelled if no answer comes within `answerMs`.
   * @returns the client's answers by the same keys
   * @throws Error if the task was cancelled or the signal fired
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

  /** Takes answers to open questions, and ignores all others. */
  answer(responses: Params): void {
    if (this.#questions.answer(responses)) this.#questionsChanged();
  }

  /**
   * Asks the handler to end. The task becomes `cancelled`, unless the handler still returns a result.
   * @param error if given, the task becomes `failed` with it instead
   */
  cancel(reason = 'The client has cancelled the task.', error?: RpcErrorObject): void {
    if (this.#isEnded || this.#cancelReason !== undefined) return;
    this.#cancelReason = reason;
    this.#cancelError = error;
    clearTimeout(this.#answerTimer);
    this.#request.cancel();
    this.#questions.drop(new Error(reason));
    if (this.#task) this.#save({ status: 'working', statusMessage: reason });
  }

  /** Stores and announces the task. If it cannot be stored, the call is answered with its result. */
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
    this.#isRepeatable = this.#request.isRepeatable();
    const { owner, tool } = this;
    try {
      await this.#services.store({ task, owner, tool, expiresAt: undefined, isRepeatable: this.#isRepeatable });
    } catch {
      this.#services.release(this);
      return work;
    }
    this.#task = task;
    for (const listener of this.#createdListeners) listener();
    // Progress may have come while the task was stored.
    this.#showProgress();
    void this.#finish(work);
    return { resultType: 'task', ...task } satisfies CreateTaskResult;
  }

  async #finish(work: Promise<Result>): Promise<void> {
    this.#end(await this.#outcomeOf(work));
  }

  async #outcomeOf(work: Promise<Result>): Promise<State> {
    const failed = (error: RpcErrorObject): State => ({ status: 'failed', statusMessage: error.message, error });
    const cancelled = (): State =>
      this.#cancelError ? failed(this.#cancelError) : { status: 'cancelled', statusMessage: this.#cancelReason! };
    try {
      let result = await work;
      while (isInputRequired(result)) result = await this.#nextRound(result);
      const isCancelled = this.#cancelReason !== undefined && 'isError' in result && result.isError === true;
      return isCancelled ? cancelled() : { status: 'completed', result: this.#request.toResult(result) };
    } catch (error) {
      if (this.#cancelReason !== undefined) return cancelled();
      return failed(this.#request.toError(error));
    }
  }

  /** Asks the questions of a handler that has returned `input_required`, and runs it again with the answers. */
  async #nextRound({ inputRequests, requestState }: InputRequiredResult): Promise<Result> {
    const inputResponses = await this.ask(inputRequests);
    return this.#request.again({ inputResponses, ...(requestState !== undefined && { requestState }) });
  }

  #questionsChanged(): void {
    if (this.#isEnded || this.#cancelReason !== undefined) return;
    clearTimeout(this.#answerTimer);
    const message = this.#progressMessage;
    if (this.#questions.isEmpty) {
      this.#save({ status: 'working', ...(message !== undefined && { statusMessage: message }) });
      return;
    }
    const { answerMs } = this.#services;
    if (this.#timedAsks > 0)
      this.#answerTimer = setTimeout(() => this.cancel(`No answer came within ${answerMs} ms.`), answerMs).unref();
    this.#save({ status: 'input_required', inputRequests: this.#questions.open } as State);
  }

  #end(state: State): void {
    this.#isEnded = true;
    clearTimeout(this.#answerTimer);
    this.#questions.drop(new Error('The task has ended.'));
    this.#save(state);
  }

  /** Sets the status of the task, stores it and announces it. */
  #save(state: State): void {
    this.#set(state);
    const stored = this.stored!;
    // `store` has already reported the error.
    this.#stored = this.#stored.then(() => this.#services.store(stored)).catch(() => {});
    if (this.#isEnded) void this.#stored.then(() => this.#services.release(this));
    this.#services.changed(this, stored.task, true);
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
