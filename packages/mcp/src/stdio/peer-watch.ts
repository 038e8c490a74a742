/** How often it is checked whether the parent still runs, in milliseconds. */
const CHECK_MS = 5_000;
/** How long a client whose process seems to be gone may take to answer, in milliseconds. */
const ANSWER_MS = 30_000;

export interface PeerWatchOptions {
  /** The process that started this one; another one once that has ended. */
  parentPid(): number;
  /** Sends the client something that it answers. */
  ask(): void;
  onGone(): void;
  /** For tests. */
  readonly checkMs?: number;
  readonly answerMs?: number;
}

/**
 * Notices a client that has ended although its input does not end, because another process holds the pipe open: when the
 * parent has ended, the client is asked, for a launcher may have ended instead; without an answer it is gone.
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

  /** The client has sent something. */
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
