// Written by scripts/mcp-methods.mjs from packages/mcp/src/protocol/methods.ts; do not edit.

/** By method: the parameter that the header `Mcp-Name` repeats. */
export const NAME_PARAMETER: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};
