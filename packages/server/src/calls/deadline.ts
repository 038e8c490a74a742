import { type CancelSignal, CancelSource, type Timed, TimeoutList } from '@mortise/mcp/util';
import type { AbortReason } from '../results/error-outcomes.js';

/** The deadlines of the calls that run. Those of the same length share one timer, and none listens to the shutdown by itself. */
export class CallDeadlines {
  readonly #shutdown: CancelSignal;
  /** By their length in milliseconds. */
  readonly #lists = new Map<number, TimeoutList<CallDeadline>>();

  /** @param shutdown fires when the server ends: all calls are ended then */
  constructor(shutdown: CancelSignal) {
    this.#shutdown = shutdown;
    shutdown.addEventListener('abort', () => {
      for (const list of this.#lists.values()) for (const deadline of list.values()) deadline.end('shut down');
    });
  }

  /** @param timeoutMs how long the call may take from now on, its time in the queue included; Infinity: forever */
  start(timeoutMs: number, caller: CancelSignal): CallDeadline {
    const deadline = new CallDeadline(this, timeoutMs, caller);
    if (this.#shutdown.aborted) deadline.end('shut down');
    return deadline;
  }

  /** The list of the deadlines that end after so many milliseconds. */
  listOf(ms: number): TimeoutList<CallDeadline> {
    let list = this.#lists.get(ms);
    if (!list) {
      const endDeadline = (deadline: CallDeadline) => deadline.end('timed out');
      list = new TimeoutList(ms, endDeadline, () => this.#lists.delete(ms));
      this.#lists.set(ms, list);
    }
    return list;
  }
}

/** The deadline of one call. It fires at the deadline, at the caller's cancel, or at shutdown, for one reason alone. */
export class CallDeadline extends CancelSource implements Timed<CallDeadline> {
  previous: CallDeadline | undefined;
  next: CallDeadline | undefined;
  /** Why the call was ended. */
  abortReason: AbortReason | undefined;
  startedAt = 0;
  readonly #deadlines: CallDeadlines;
  readonly #caller: CancelSignal;
  #list: TimeoutList<CallDeadline> | undefined;
  #controller: AbortController | undefined;
  #leftMs: number;
  #suspensions = 0;

  constructor(deadlines: CallDeadlines, timeoutMs: number, caller: CancelSignal) {
    super();
    this.#deadlines = deadlines;
    this.#caller = caller;
    this.#leftMs = timeoutMs;
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
      this.#leftMs -= performance.now() - this.startedAt;
      this.#list?.remove(this);
      // It still hears of the shutdown.
      this.#enter(Number.POSITIVE_INFINITY);
    }
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      if (--this.#suspensions > 0 || this.abortReason !== undefined) return;
      this.#list?.remove(this);
      this.#run();
    };
  }

  /** The call has ended by itself: it is in no list, and no listener is left. */
  stop(): void {
    this.#list?.remove(this);
    this.#list = undefined;
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

  #run(): void {
    this.#enter(Math.max(0, this.#leftMs));
  }

  #enter(ms: number): void {
    this.#list = this.#deadlines.listOf(ms);
    this.#list.add(this);
  }

  #abortSignal(): void {
    this.#controller!.abort(new DOMException(`The call was ended: ${this.abortReason}`, 'AbortError'));
  }
}
