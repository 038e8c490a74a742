import { TokenBucket } from '../util/token-bucket.js';

const MESSAGES_A_SECOND = 5000;
/** The maximum size of all messages in a second. */
export const MAX_CHARS = 16 * 1024 * 1024;

/** Bounds what a process sends without being asked: progress, log lines, news. */
export class MessageRateLimit {
  readonly #messages = new TokenBucket(MESSAGES_A_SECOND);
  readonly #chars = new TokenBucket(MAX_CHARS);

  /** False when it is more in a second than the server should have to read. */
  tryTake(chars: number): boolean {
    return this.#messages.tryTake() && this.#chars.tryTake(chars);
  }
}
