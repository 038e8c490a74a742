/** The headers of a request over HTTP that repeat members of its body (2026-07-28), as Node.js spells them. */
export const HEADER_NAMES = {
  version: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
} as const;
