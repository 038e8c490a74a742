export type { Change, ListName } from './core/listen-table.js';
export { type Audience, McpServer } from './core/mcp-server.js';
export type { RequestContext } from './core/request-context.js';
export { type CacheHint, PreparedResult } from './core/result-writer.js';
export type { Handler, HandlerResult, Handlers, McpServerOptions, ServerLimits } from './core/server-options.js';
export { createInputRounds, type InputRound, type InputRounds } from './input/input-rounds.js';
export { RPC_CODES } from './json-rpc/codes.js';
export type { Params, RequestId } from './json-rpc/messages.js';
export { invalidParams, missingCapability, RpcError, type RpcErrorObject } from './json-rpc/rpc-error.js';
export { isLoggingLevel, LOGGING_LEVELS, type LoggingLevel } from './protocol/logging-levels.js';
export { META_KEYS } from './protocol/meta-keys.js';
export type { Method, ParamsOf } from './protocol/methods.js';
export { encodeHeader, type ParamHeader, paramHeaders } from './protocol/param-headers.js';
export { TASKS_EXTENSION } from './protocol/tasks-extension.js';
export type {
  ContentBlock,
  Implementation,
  InputRequest,
  InputRequiredResult,
  LogMessage,
  Notifications,
  Progress,
  Prompt,
  Resource,
  ResourceTemplate,
  Result,
  Results,
  ServerCapabilities,
  Task,
  TaskStatus,
  Tool,
} from './protocol/types.js';
export { STATELESS_VERSION } from './protocol/versions.js';
export { type ServedStdio, type StdioOptions, serveStdio } from './stdio/serve-stdio.js';
export {
  createMemoryTaskStore,
  type SharedTasks,
  type StoredTask,
  type TaskMessage,
  type TaskRunner,
  type TaskStore,
} from './tasks/task-store.js';
export type { TaskOptions } from './tasks/task-table.js';
