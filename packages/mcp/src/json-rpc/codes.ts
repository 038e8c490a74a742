/** Codes of JSON-RPC errors: those of JSON-RPC 2.0, and those that MCP adds (docs/spec/protocol.md#error-codes). */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The server refuses the request, or the connection is closed. */
  refused: -32000,
  sessionNotFound: -32001,
  /** Until 2025-11-25; later versions have `invalidParams`. */
  resourceNotFound: -32002,
  /** Until 2025-11-25: the user has to open the pages of `data.elicitations` first. */
  urlElicitationRequired: -32042,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;
