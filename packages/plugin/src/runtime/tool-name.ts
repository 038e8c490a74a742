/** The longest name of a tool or a prompt that MCP allows. */
export const MAX_NAME_CHARS = 128;

/** A name of a tool. */
export const TOOL_NAME = new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_NAME_CHARS}}$`);
