import { type CancelSignal, CancelSource, type Linked, LinkedList } from '@mortise/mcp/util';
import type { AbortReason } from './results/error-outcomes.js';

/** The deadlines of all running calls. One listener for the shutdown serves all of them. */
export class CallDeadlines {
  readonly #shutdown: CancelSignal;
  readonly #running = new LinkedList<CallDeadline>();

  /** @param shutdown ends all calls when it fires */
  constructor(shutdown: CancelSignal) {
    this.#shutdown = shutdown;
    shutdown.addEventListener('abort', () => {
      for (const deadline of this.#running.values()) deadline.end('shut down');
    });
  }

  /** @param timeoutMs the call's time limit from now on, including its time in the queue; Infinity for none */
  start(timeoutMs: number, caller: CancelSignal): CallDeadline {
    const deadline = new CallDeadline(this.#running, timeoutMs, caller);
    if (this.#shutdown.aborted) deadline.end('shut down');
    return deadline;
  }
}

/** Fires when a call times out, its caller cancels, or the server shuts down. Only the first of these counts. */
export class CallDeadline extends CancelSource implements Linked<CallDeadline> {
  previous: CallDeadline | undefined;
  next: CallDeadline | undefined;
  abortReason: AbortReason | undefined;
  readonly #running: LinkedList<CallDeadline>;
  readonly #caller: CancelSignal;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #controller: AbortController | undefined;
  #remainingMs: number;
  #suspensionCount = 0;
  #isStopped = false;

  /** @param running the list that contains this deadline until the call has ended */
  constructor(running: LinkedList<CallDeadline>, timeoutMs: number, caller: CancelSignal) {
    super();
    this.#running = running;
    this.#caller = caller;
    this.#remainingMs = timeoutMs;
    running.add(this);
    if (caller.aborted) this.end('cancelled');
    else {
      caller.addEventListener('abort', this.#onCancel);
      this.#startTimer();
    }
  }

  /** This deadline as an AbortSignal, created on first use. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.abortReason !== undefined) this.#abortSignal();
    }
    return this.#controller.signal;
  }

  /** Stops the clock while a question to the user is open. @returns a function that starts the clock again */
  suspend(): () => void {
    if (this.#suspensionCount++ === 0 && !this.#isStopped) {
      this.#remainingMs -= performance.now() - this.#startedAt;
      clearTimeout(this.#timer);
    }
    let isSuspended = true;
    return () => {
      if (!isSuspended) return;
      isSuspended = false;
      if (--this.#suspensionCount === 0) this.#startTimer();
    };
  }

  /** Removes the timer and the listeners, because the call has ended. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#running.remove(this);
    this.#caller.removeEventListener('abort', this.#onCancel);
  }

  /** Ends the call. Has no effect if it was ended before. */
  end(reason: AbortReason): void {
    if (this.abortReason !== undefined) return;
    this.abortReason = reason;
    this.stop();
    this.abort();
    if (this.#controller) this.#abortSignal();
  }

  readonly #onCancel = () => this.end('cancelled');
  readonly #onTimeout = () => this.end('timed out');

  #startTimer(): void {
    if (this.#isStopped || this.#remainingMs === Number.POSITIVE_INFINITY) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onTimeout, this.#remainingMs);
  }

  #abortSignal(): void {
    this.#controller!.abort(new DOMException(`The call was ended: ${this.abortReason}`, 'AbortError'));
  }
}

interface GraceOptions<T, O> {
  readonly ended: CancelSignal;
  readonly graceMs: number;
  work(): Promise<T>;
  /** @param value the result of the work; undefined if the work was not done in time */
  toOutcome(value: T | undefined): O;
}

/** Runs the work of a call, which may continue for the grace period after the call was ended. */
export function withinGrace<T, O>({ ended, graceMs, work, toOutcome }: GraceOptions<T, O>): Promise<O> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const settle = (value?: T) => {
      clearTimeout(timer);
      try {
        resolve(toOutcome(value));
      } catch (error) {
        reject(error);
      }
    };
    if (ended.aborted) {
      settle();
      return;
    }
    ended.addEventListener('abort', () => {
      timer = setTimeout(settle, graceMs);
    });
    work().then(settle, (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
