const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;
/** A process that ran for this long was well: what comes after it begins again. */
const HEALTHY_MS = 60_000;

/** Growing pauses before a plugin that keeps crashing is started again; none after its first crash. */
export interface RestartBackoff {
  /** @param ranMs how long the process ran with the plugin loaded; 0 when it did not load */
  crashed(ranMs: number): void;
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
    crashed(ranMs) {
      crashes = ranMs > HEALTHY_MS ? 1 : crashes + 1;
      crashedAt = now();
      notBefore = crashedAt + (crashes < 2 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (crashes - 2)));
    },
    nextMs: () => Math.max(0, notBefore - now()),
    crashedRecently: () => now() - crashedAt < HEALTHY_MS,
  };
}
