import { LineLimit } from '../util/line-limit.js';
import { TokenBucket } from '../util/token-bucket.js';

const LOG_CHARS_A_SECOND = 32 * 1024;
/** The cost of a line in addition to its characters. */
const LINE_COST = 100;
/** Longer lines are never logged. */
export const MAX_LOG_LINE_CHARS = 64 * 1024;

/** Bounds what the log takes from one process: its log lines and what it prints. */
export class LogRateLimit extends LineLimit {
  /** @param onDropped told once a second how many lines were dropped, if any were */
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

/** Bounds what a process sends without being asked: progress, log lines, news. */
export class MessageRateLimit {
  readonly #messages = new TokenBucket(MESSAGES_A_SECOND);
  readonly #chars = new TokenBucket(MESSAGE_CHARS_A_SECOND);

  /** False when it is more in a second than the server should have to read. */
  tryTake(chars: number): boolean {
    return this.#messages.tryTake() && this.#chars.tryTake(chars);
  }
}
