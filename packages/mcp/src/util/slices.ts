/** How long work at a stretch may take before the event loop continues, in milliseconds: a call waits for several slices. */
const SLICE_MS = 2;

/** What waits for its next slice. One runs in each turn of the event loop, so that many together delay no one more than one. */
const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop in which no other slice runs. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(runNext);
  });
}

function runNext(): void {
  if (waiting.length > 1) setImmediate(runNext);
  waiting.shift()!();
}

/**
 * Does long work in slices of a few milliseconds, between which requests of others are served.
 * @param steps stops after each small part of the work
 * @param onTimeSpent hears how many milliseconds each slice took
 */
export async function runInSlices<T>(steps: Generator<void, T>, onTimeSpent?: (ms: number) => void): Promise<T> {
  for (;;) {
    await nextSlice();
    const startedAt = performance.now();
    try {
      do {
        const step = steps.next();
        if (step.done) return step.value;
      } while (performance.now() < startedAt + SLICE_MS);
    } finally {
      onTimeSpent?.(performance.now() - startedAt);
    }
  }
}

/** The same work in one piece, where it is known to be short. */
export function runAtOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
