const WINDOW_MS = 1000;
const CHARS_A_WINDOW = 32 * 1024;
/** The cost of a line in addition to its characters. */
const LINE_COST = 100;
/** Longer lines are never logged. */
export const MAX_LINE_CHARS = 64 * 1024;

/** Bounds what the log takes from one process: its log lines and what it prints. */
export interface LogRateLimit {
  /** Whether a line of `chars` characters can be written now; otherwise it is dropped and counted. */
  tryConsume(chars: number): boolean;
  /** Tells of what was left out last. */
  end(): void;
}

/** @param onLeftOut called once a second with the number of dropped lines, if any */
export function createLogRateLimit(onLeftOut: (lines: number) => void): LogRateLimit {
  let used = 0;
  let leftOut = 0;
  let timer: NodeJS.Timeout | undefined;

  const refill = () => {
    clearTimeout(timer);
    timer = undefined;
    used = 0;
    const lines = leftOut;
    leftOut = 0;
    if (lines > 0) onLeftOut(lines);
  };
  return {
    end: refill,
    tryConsume(chars) {
      timer ??= setTimeout(refill, WINDOW_MS).unref();
      const isAdmitted = used < CHARS_A_WINDOW && chars <= MAX_LINE_CHARS;
      if (isAdmitted) used += LINE_COST + chars;
      else leftOut += 1;
      return isAdmitted;
    },
  };
}
