/** The identifier of the tasks extension of 2026-07-28 (docs/spec/protocol.md#tasks). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
