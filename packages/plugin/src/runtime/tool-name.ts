/** For tools and prompts. */
export const MAX_NAME_CHARS = 128;

export const TOOL_NAME = new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_NAME_CHARS}}$`);
