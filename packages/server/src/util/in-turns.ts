import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest time for which work blocks the event loop. A call may have to wait for several such turns. */
const TURN_MS = 2;

/** Does long work in turns of a few milliseconds, and serves other requests between them. */
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

/** Does all the work in one turn. Use it only for work that is known to be short. */
export function inOneTurn<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
