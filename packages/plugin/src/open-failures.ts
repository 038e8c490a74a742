import { type CodePlace, callerPlace } from './own-code.js';

/** Failures that `fail()` created while calls were running, and that no call has returned or thrown yet. */
interface OpenFailures {
  calls: number;
  /** The place of each `fail()` call, by the details of the failure. */
  readonly made: Map<object, CodePlace | undefined>;
}

/** A registered symbol, so that several copies of this package agree. */
const KEY = Symbol.for('mortise.open-failures');
const holder = globalThis as { [KEY]?: OpenFailures };
holder[KEY] ??= { calls: 0, made: new Map() };
const open = holder[KEY];

const MAX_FAILURES = 100;
const NONE: readonly CodePlace[] = [];

/** Records a new failure. A failure that is created while no call runs may be a constant, and is not recorded. */
export function failureMade(details: object): void {
  if (open.calls > 0 && open.made.size < MAX_FAILURES) open.made.set(details, callerPlace());
}

/** A call returned or threw the failure. */
export const failureUsed = (details: object): void => void open.made.delete(details);

export const callBegan = (): void => void open.calls++;

/**
 * Returns the places of failures that no call returned or threw. They are known only when no call is running any more.
 */
export function callEnded(): readonly CodePlace[] {
  open.calls = Math.max(0, open.calls - 1);
  if (open.calls > 0 || open.made.size === 0) return NONE;
  const places = [...open.made.values()].filter((place) => place !== undefined);
  open.made.clear();
  return places;
}
