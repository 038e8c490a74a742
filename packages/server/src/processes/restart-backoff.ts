const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2000;
const RECENT_MS = 60_000;

/**
 * Growing pauses before a plugin that keeps crashing is started again, at most 2 s, because every caller of the plugin
 * waits for them. There is no pause after the first crash, nor after that of a process that has answered a call
 * (docs/spec/plugins.md#crashes).
 */
export interface RestartBackoff {
  /** @param hasAnswered whether the process had answered a call */
  crashed(hasAnswered: boolean): void;
  /** How long to wait before the next start, in milliseconds. */
  nextMs(): number;
  /** Whether it has crashed within the last minute. */
  crashedRecently(): boolean;
}

export function createRestartBackoff(now: () => number = () => performance.now()): RestartBackoff {
  let crashes = 0;
  let notBefore = 0;
  let crashedAt = Number.NEGATIVE_INFINITY;
  return {
    crashed(hasAnswered) {
      crashes = hasAnswered ? 1 : crashes + 1;
      crashedAt = now();
      notBefore = crashedAt + (crashes < 2 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (crashes - 2)));
    },
    nextMs: () => Math.max(0, notBefore - now()),
    crashedRecently: () => now() - crashedAt < RECENT_MS,
  };
}
