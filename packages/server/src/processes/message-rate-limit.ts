const WINDOW_MS = 1000;
const MAX_MESSAGES = 5000;
/** The maximum size of all messages in a second. */
export const MAX_CHARS = 16 * 1024 * 1024;

/** Counts what a process sends without being asked: progress, log lines, news. */
export interface MessageRateLimit {
  /** False when it is more in a second than the server should have to read. */
  tryConsume(chars: number): boolean;
}

export function createMessageRateLimit(now: () => number = () => performance.now()): MessageRateLimit {
  let startedAt = now();
  let messages = 0;
  let sumChars = 0;
  return {
    tryConsume(chars) {
      if (now() - startedAt >= WINDOW_MS) {
        startedAt = now();
        messages = 0;
        sumChars = 0;
      }
      messages += 1;
      sumChars += chars;
      return messages <= MAX_MESSAGES && sumChars <= MAX_CHARS;
    },
  };
}
