import { PING_MS } from '../../core/grace-period.js';

interface ProbedProcess {
  /** Resolves when the process has answered; rejects when it has ended. */
  ping(): Promise<unknown>;
  ended(): Promise<unknown>;
  kill(reason: string): void;
}

/** Pings a process, one ping at a time, and kills it if it does not answer. */
export class LivenessProbe {
  readonly #process: ProbedProcess;
  #pending: Promise<void> | undefined;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(process: ProbedProcess) {
    this.#process = process;
  }

  /** The pending ping, if any. Resolves when the process has answered or ended. */
  get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  /** True if a ping has had no answer for at least {@link PING_MS}. */
  get isOverdue(): boolean {
    return this.#pending !== undefined && performance.now() - this.#startedAt >= PING_MS;
  }

  /** Sends a ping, unless one is pending, and kills the process after `timeoutMs` without an answer. */
  start(timeoutMs: number): void {
    if (this.#pending) return;
    this.#timer = setTimeout(() => {
      this.#process.kill(
        `its thread was blocked: it did not answer a ping within ${timeoutMs} ms after a cancelled call`,
      );
    }, timeoutMs).unref();
    this.#startedAt = performance.now();
    const finish = () => {
      clearTimeout(this.#timer);
      this.#pending = undefined;
    };
    this.#pending = this.#process.ping().then(finish, () => this.#process.ended().then(finish));
  }
}
