import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may take at a stretch, in milliseconds: a call waits for several such stretches. */
const TURN_MS = 2;

/** Does long work, such as that for a thousand tools: requests of others are served after every few milliseconds. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const endsAt = performance.now() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < endsAt);
    await nextTurn();
  }
}

/** The same work in one piece, where it is known to be short. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
