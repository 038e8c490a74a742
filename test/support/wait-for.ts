import { setTimeout as delay } from 'node:timers/promises';

/** Of {@link waitFor}, and of `expect.poll` (vitest.config.ts): enough for a machine with much other work, in milliseconds. */
export const WAIT_MS = 60_000;
/** Between two looks, in milliseconds: twice as long after each, and several times as long as the last look took. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;
const PAUSE_PER_LOOK = 5;

/**
 * Waits until a condition holds, and resolves with what it returned then. Where a failure is to show a value,
 * `expect.poll` does the same.
 * @param condition holds when it returns, or resolves with, anything but `false` and `undefined`
 * @param options `timeoutMs`: how long, in milliseconds
 * @throws when the condition does not hold in time: the message has its source; and whatever the condition throws
 */
export async function waitFor<T>(
  condition: () => T,
  { timeoutMs = WAIT_MS }: { timeoutMs?: number } = {},
): Promise<Exclude<Awaited<T>, false | undefined>> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const lookedAt = performance.now();
    const isLast = lookedAt > deadline;
    const value = await condition();
    if (value !== false && value !== undefined) return value as Exclude<Awaited<T>, false | undefined>;
    if (isLast) throw new Error(`It did not come to this within ${timeoutMs} ms: ${condition}`);
    await delay(Math.max(pauseMs, PAUSE_PER_LOOK * (performance.now() - lookedAt)));
  }
}
