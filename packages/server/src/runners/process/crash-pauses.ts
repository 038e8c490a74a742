const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran for this long was well: what comes after it begins anew. */
const HEALTHY_MS = 60_000;

/** Growing pauses before a plugin that keeps crashing is started again; none after its first crash. */
export interface CrashPauses {
  started(): void;
  crashed(): void;
  /** How long to wait before the next start, in milliseconds. */
  nextMs(): number;
}

export function createCrashPauses(now: () => number = () => performance.now()): CrashPauses {
  let crashes = 0;
  let startedAt = 0;
  let notBefore = 0;
  return {
    started() {
      startedAt = now();
    },
    crashed() {
      crashes = now() - startedAt > HEALTHY_MS ? 1 : crashes + 1;
      const pauseMs = crashes < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (crashes - 2));
      notBefore = now() + pauseMs;
    },
    nextMs: () => Math.max(0, notBefore - now()),
  };
}
