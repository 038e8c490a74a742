/** The interval between two looks at the parent process. */
const CHECK_MS = 5_000;
/** The time that a client has to answer after the parent process has ended. */
const ANSWER_MS = 30_000;

export interface PeerWatchOptions {
  /** The id of the parent process. It changes when the parent ends. */
  parentPid(): number;
  /** Sends the client a request that it has to answer. */
  ask(): void;
  onGone(): void;
  /** For tests. */
  readonly checkMs?: number;
  readonly answerMs?: number;
}

/**
 * Detects that the client has ended while stdin is still open, because another process holds the pipe. When the parent
 * process ends, it may only have been a launcher, so the client is asked first. Without an answer it has ended.
 */
export class PeerWatch {
  readonly #options: Required<PeerWatchOptions>;
  readonly #timer: NodeJS.Timeout;
  #parent: number;
  #askedAt: number | undefined;

  constructor(options: PeerWatchOptions) {
    this.#options = { checkMs: CHECK_MS, answerMs: ANSWER_MS, ...options };
    this.#parent = options.parentPid();
    this.#timer = setInterval(() => this.#check(), this.#options.checkMs).unref();
  }

  /** Call this whenever the client has sent anything. */
  received(): void {
    if (this.#askedAt === undefined) return;
    this.#askedAt = undefined;
    this.#parent = this.#options.parentPid();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { parentPid, ask, onGone, answerMs } = this.#options;
    if (parentPid() === this.#parent) return;
    if (this.#askedAt === undefined) {
      this.#askedAt = performance.now();
      ask();
    } else if (performance.now() - this.#askedAt >= answerMs) {
      this.stop();
      onGone();
    }
  }
}
