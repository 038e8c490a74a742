import { type CancelSignal, CancelSource } from '@mortise/mcp/util';
import type { AbortReason } from '../results/error-outcomes.js';

/** The deadline of one call, and the one reason for which it was ended from outside. */
export interface CallDeadline {
  /** Fires at the deadline, at the caller's cancel, or at shutdown. */
  readonly ended: CancelSignal;
  /** The same as an AbortSignal, made when it is first asked for. */
  readonly signal: AbortSignal;
  /** Why it was ended. */
  readonly abortReason: AbortReason | undefined;
  /** Stops the clock while a question to the user is open; returns what starts it again. */
  suspend(): () => void;
  /** The call has ended by itself: no timer or listener is left. */
  stop(): void;
}

/** @param timeoutMs how long the call may take from now on, its time in the queue included; Infinity: forever */
export function startCallDeadline(timeoutMs: number, caller: CancelSignal, shutdown: CancelSignal): CallDeadline {
  return new Deadline(timeoutMs, caller, shutdown);
}

class Deadline implements CallDeadline {
  readonly ended = new CancelSource();
  abortReason: AbortReason | undefined;
  readonly #caller: CancelSignal;
  readonly #shutdown: CancelSignal;
  readonly #onCancel = () => this.#end('cancelled');
  readonly #onShutdown = () => this.#end('shut down');
  #controller: AbortController | undefined;
  #leftMs: number;
  #startedAt = 0;
  #suspensions = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, caller: CancelSignal, shutdown: CancelSignal) {
    this.#leftMs = timeoutMs;
    this.#caller = caller;
    this.#shutdown = shutdown;
    if (caller.aborted) this.#end('cancelled');
    else if (shutdown.aborted) this.#end('shut down');
    else {
      caller.addEventListener('abort', this.#onCancel);
      shutdown.addEventListener('abort', this.#onShutdown);
      this.#run();
    }
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.abortReason !== undefined) this.#abort();
    }
    return this.#controller.signal;
  }

  suspend(): () => void {
    if (this.#suspensions++ === 0) {
      clearTimeout(this.#timer);
      this.#leftMs -= performance.now() - this.#startedAt;
    }
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      if (--this.#suspensions === 0 && this.abortReason === undefined) this.#run();
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#onCancel);
    this.#shutdown.removeEventListener('abort', this.#onShutdown);
  }

  #run(): void {
    if (this.#leftMs === Number.POSITIVE_INFINITY) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#end('timed out'), Math.max(0, this.#leftMs));
  }

  #end(reason: AbortReason): void {
    if (this.abortReason !== undefined) return;
    this.abortReason = reason;
    this.stop();
    this.ended.abort();
    if (this.#controller) this.#abort();
  }

  #abort(): void {
    this.#controller!.abort(new DOMException(`The call was ended: ${this.abortReason}`, 'AbortError'));
  }
}
