import { type CancelSignal, CancelSource, type Linked, LinkedList } from '@mortise/mcp/util';
import type { AbortReason } from './results/error-outcomes.js';

/** The deadlines of the calls that run: none listens to the shutdown by itself. */
export class CallDeadlines {
  readonly #shutdown: CancelSignal;
  readonly #running = new LinkedList<CallDeadline>();

  /** @param shutdown fires when the server ends: all calls are ended then */
  constructor(shutdown: CancelSignal) {
    this.#shutdown = shutdown;
    shutdown.addEventListener('abort', () => {
      for (const deadline of this.#running.values()) deadline.end('shut down');
    });
  }

  /** @param timeoutMs how long the call may take from now on, its time in the queue included; Infinity: forever */
  start(timeoutMs: number, caller: CancelSignal): CallDeadline {
    const deadline = new CallDeadline(this.#running, timeoutMs, caller);
    if (this.#shutdown.aborted) deadline.end('shut down');
    return deadline;
  }
}

/** The deadline of one call. It fires at the deadline, at the caller's cancel, or at shutdown, for one reason alone. */
export class CallDeadline extends CancelSource implements Linked<CallDeadline> {
  previous: CallDeadline | undefined;
  next: CallDeadline | undefined;
  /** Why the call was ended. */
  abortReason: AbortReason | undefined;
  readonly #running: LinkedList<CallDeadline>;
  readonly #caller: CancelSignal;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #controller: AbortController | undefined;
  #leftMs: number;
  #suspensions = 0;

  /** @param running it is in this list until the call has ended */
  constructor(running: LinkedList<CallDeadline>, timeoutMs: number, caller: CancelSignal) {
    super();
    this.#running = running;
    this.#caller = caller;
    this.#leftMs = timeoutMs;
    running.add(this);
    if (caller.aborted) this.end('cancelled');
    else {
      caller.addEventListener('abort', this.#onCancel);
      this.#run();
    }
  }

  /** The same as an AbortSignal, made when it is first asked for. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.abortReason !== undefined) this.#abortSignal();
    }
    return this.#controller.signal;
  }

  /** Stops the clock while a question to the user is open; returns what starts it again. */
  suspend(): () => void {
    if (this.#suspensions++ === 0 && this.abortReason === undefined) {
      this.#leftMs -= performance.now() - this.#startedAt;
      clearTimeout(this.#timer);
    }
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      if (--this.#suspensions === 0 && this.abortReason === undefined) this.#run();
    };
  }

  /** The call has ended by itself: no timer and no listener is left. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#running.remove(this);
    this.#caller.removeEventListener('abort', this.#onCancel);
  }

  /** Only the first reason counts. */
  end(reason: AbortReason): void {
    if (this.abortReason !== undefined) return;
    this.abortReason = reason;
    this.stop();
    this.abort();
    if (this.#controller) this.#abortSignal();
  }

  readonly #onCancel = () => this.end('cancelled');
  readonly #onTime = () => this.end('timed out');

  #run(): void {
    if (this.#leftMs === Number.POSITIVE_INFINITY) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onTime, this.#leftMs);
  }

  #abortSignal(): void {
    this.#controller!.abort(new DOMException(`The call was ended: ${this.abortReason}`, 'AbortError'));
  }
}

/**
 * Runs the work of a call, which may continue for a while after the call was ended.
 * @param graceMs how long, in milliseconds
 * @param toOutcome gets what the work came to; undefined when it was still not done then
 */
export function withinGrace<T, O>(
  ended: CancelSignal,
  graceMs: number,
  work: () => Promise<T>,
  toOutcome: (value: T | undefined) => O,
): Promise<O> {
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
