import { LineLimit } from '../util/line-limit.js';
import { TokenBucket } from '../util/token-bucket.js';

const LOG_CHARS_A_SECOND = 32 * 1024;
/** The cost of a line in addition to its characters. */
const LINE_COST = 100;
/** Longer lines are never logged. */
export const MAX_LOG_LINE_CHARS = 64 * 1024;

/** Limits what one process adds to the log: its log lines and its output. */
export class LogRateLimit extends LineLimit {
  /** @param onDropped called with the number of dropped lines, at most once a second */
  constructor(onDropped: (lines: number) => void) {
    super({ perInterval: LOG_CHARS_A_SECOND, intervalMs: 1000, onDropped });
  }

  override tryTake(chars: number): boolean {
    if (chars <= MAX_LOG_LINE_CHARS) return super.tryTake(LINE_COST + chars);
    this.drop();
    return false;
  }
}

const MESSAGES_A_SECOND = 5000;
/** The maximum size of all messages in a second. */
export const MESSAGE_CHARS_A_SECOND = 16 * 1024 * 1024;

/** Protects the server from floods of unasked messages. `call/progress.ts` limits the progress that clients get. */
export class MessageRateLimit {
  readonly #messages = new TokenBucket(MESSAGES_A_SECOND);
  readonly #chars = new TokenBucket(MESSAGE_CHARS_A_SECOND);

  /** @returns false if the process has sent more in a second than the server reads */
  tryTake(chars: number): boolean {
    return this.#messages.tryTake() && this.#chars.tryTake(chars);
  }
}
