import { PING_MS } from '../../core/grace-period.js';

interface Probed {
  /** Resolves when the process has answered; rejects when it has ended. */
  ping(): Promise<unknown>;
  ended(): Promise<unknown>;
  kill(reason: string): void;
}

/** Pings a process, one ping at a time, and kills it if it does not answer. */
export class LivenessProbe {
  readonly #process: Probed;
  #pending: Promise<void> | undefined;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(process: Probed) {
    this.#process = process;
  }

  /** The pending ping, if any. Resolves when the process has answered or ended. */
  get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  /** Whether a ping has had no answer for at least {@link PING_MS}. */
  get isOverdue(): boolean {
    return this.#pending !== undefined && performance.now() - this.#startedAt >= PING_MS;
  }

  start(timeoutMs: number): void {
    if (this.#pending) return;
    this.#timer = setTimeout(() => {
      this.#process.kill(`its thread was blocked: it did not respond within ${PING_MS} ms after a call was ended`);
    }, timeoutMs).unref();
    this.#startedAt = performance.now();
    const answered = () => {
      clearTimeout(this.#timer);
      this.#pending = undefined;
    };
    this.#pending = this.#process.ping().then(answered, () => this.#process.ended().then(answered));
  }
}
