/** Messages of more characters take several turns of the event loop to become results. */
export const LARGE_MESSAGE_CHARS = 256 * 1024;

const large = new WeakSet<object>();

/** Notes that a result, or what it is made of, is large: what is done with it is done in several turns of the event loop. */
export function markLarge(result: object): void {
  large.add(result);
}

/** Whether a result was noted as large. */
export function isMarkedLarge(result: object): boolean {
  return large.has(result);
}
