/** The maximum length of the name of a tool or a prompt. */
export const MAX_NAME_CHARS = 128;

/** Names of tools and prompts that only the server may use. */
export const RESERVED_NAME = /^(?:builtin|mcp)\./i;

export const TOOL_NAME = new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_NAME_CHARS}}$`);
