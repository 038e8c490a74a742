const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran for this long was well: what comes after it begins anew. */
const HEALTHY_MS = 60_000;

/** Growing pauses before a plugin that keeps crashing is started again; none after its first crash. */
export interface CrashPauses {
  /** @param ranMs how long the process ran with the plugin loaded; 0 when it did not load */
  crashed(ranMs: number): void;
  /** How long to wait before the next start, in milliseconds. */
  nextMs(): number;
  /** Whether it has crashed within the last minute. */
  hasCrashedLately(): boolean;
}

export function createCrashPauses(now: () => number = () => performance.now()): CrashPauses {
  let crashes = 0;
  let notBefore = 0;
  let crashedAt = Number.NEGATIVE_INFINITY;
  return {
    crashed(ranMs) {
      crashes = ranMs > HEALTHY_MS ? 1 : crashes + 1;
      crashedAt = now();
      notBefore = crashedAt + (crashes < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (crashes - 2)));
    },
    nextMs: () => Math.max(0, notBefore - now()),
    hasCrashedLately: () => now() - crashedAt < HEALTHY_MS,
  };
}
