/** `mcpErrorCode` where a project, package, SDK or file is missing. */
export const RESOURCE_NOT_FOUND = -32002;

/** The catalogue entry of one code; the rest follows from the code's family. */
export interface CodeInfo {
  readonly title: string;
  /** What the diagnostic means, in one or two sentences. */
  readonly explanation: string;
  /** The next thing to do. */
  readonly hint: string;
  /** Each fix works by itself; commands follow a colon. */
  readonly suggestedFixes: readonly string[];
  /** JSON-RPC code for orchestrators (docs/spec/errors.md#mcp-error-codes). */
  readonly mcpErrorCode?: typeof RESOURCE_NOT_FOUND;
  /** How each message of the code begins; other lines under the same origin and code continue with the one before. */
  readonly messageStart?: string;
}
