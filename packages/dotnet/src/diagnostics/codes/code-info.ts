/** The catalogue entry of one code; the rest follows from the code's family. */
export interface CodeInfo {
  readonly title: string;
  /** What the diagnostic means, in one or two sentences. */
  readonly explanation: string;
  /** The next thing to do. */
  readonly hint: string;
  /** Each fix works by itself; commands follow a colon. */
  readonly suggestedFixes: readonly string[];
  /** How each message of the code begins; other lines under the same origin and code continue with the one before. */
  readonly messageStart?: string;
}
