/** Unicode noncharacters, which never occur in text. */
export const SECRET_MARKERS = { start: '\uFDD0', end: '\uFDD1' } as const;

/**
 * Marks a text as secret, whatever it looks like. Results, progress and logs show `[REDACTED]` in its place. Only a
 * call with `unsafeOutput` shows the text itself, if the operator allows that.
 */
export function secret(text: string): string {
  return SECRET_MARKERS.start + text.replace(/[\uFDD0\uFDD1]/g, '') + SECRET_MARKERS.end;
}
