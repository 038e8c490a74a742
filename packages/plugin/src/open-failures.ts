import { type CodePlace, callerPlace } from './own-code.js';

/** What `fail()` made while calls run, and no call has returned or thrown yet. */
interface OpenFailures {
  calls: number;
  /** By their details, with the place of `fail()`. */
  readonly made: Map<object, CodePlace | undefined>;
}

/** Under a registered symbol, so that several copies of this package agree. */
const KEY = Symbol.for('mortise.open-failures');
const holder = globalThis as { [KEY]?: OpenFailures };
holder[KEY] ??= { calls: 0, made: new Map() };
const open = holder[KEY];

const MAX_FAILURES = 100;
const NONE: readonly CodePlace[] = [];

/** `fail()` was called. What is made while no call runs may be a constant. */
export function failureMade(details: object): void {
  if (open.calls > 0 && open.made.size < MAX_FAILURES) open.made.set(details, callerPlace());
}

/** It is what a call came to. */
export const failureUsed = (details: object): void => void open.made.delete(details);

export const callBegan = (): void => void open.calls++;

/** The places of failures that no call came to; they are known when the last of the running calls has ended. */
export function callEnded(): readonly CodePlace[] {
  open.calls = Math.max(0, open.calls - 1);
  if (open.calls > 0 || open.made.size === 0) return NONE;
  const places = [...open.made.values()].filter((place) => place !== undefined);
  open.made.clear();
  return places;
}
