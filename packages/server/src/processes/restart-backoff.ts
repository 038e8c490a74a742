const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2000;

/**
 * Growing pauses before a plugin that keeps crashing is started again. A pause is at most 2 s, because every caller of the
 * plugin waits for it. There is no pause after the first crash, or after the crash of a process that has answered a call
 * (docs/spec/plugin-processes.md#crashes).
 */
export interface RestartBackoff {
  /** @param hasAnswered whether the process had answered a call */
  crashed(hasAnswered: boolean): void;
  /** The remaining pause before the next start. */
  nextMs(): number;
}

export function createRestartBackoff(now: () => number = () => performance.now()): RestartBackoff {
  let crashes = 0;
  let notBefore = 0;
  return {
    crashed(hasAnswered) {
      crashes = hasAnswered ? 1 : crashes + 1;
      notBefore = now() + (crashes < 2 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (crashes - 2)));
    },
    nextMs: () => Math.max(0, notBefore - now()),
  };
}
