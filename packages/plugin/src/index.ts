export type * from './call-context.js';
export type * from './content.js';
export { ERROR_CODES, type ErrorCategory, type ErrorCode, type ErrorCodeEntry, errorCodeEntry } from './error-codes.js';
export type * from './error-response.js';
export type * from './json.js';
export type { Logger, LogLevel } from './logger.js';
export type * from './register.js';
export type * from './schema.js';
export type * from './tool.js';
