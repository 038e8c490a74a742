/** Unicode noncharacters, which text never holds. */
export const SECRET_MARKERS = { start: '\uFDD0', end: '\uFDD1' } as const;

/**
 * Marks a text as secret, whatever it looks like: the host shows `[REDACTED]` in its place in results, progress and logs,
 * and the text itself only to a call with `unsafeOutput` where the operator allows that.
 */
export function secret(text: string): string {
  return SECRET_MARKERS.start + text.replace(/[\uFDD0\uFDD1]/g, '') + SECRET_MARKERS.end;
}
