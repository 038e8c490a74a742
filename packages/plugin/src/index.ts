export type * from './call-context.js';
export type * from './content.js';
export { type ConfigFrom, type DefinedPlugin, definePlugin, type PluginOptions } from './define-plugin.js';
export {
  type DefinedTool,
  type DefineTool,
  defineTool,
  type ResultFrom,
  type RunResult,
  type ToolOptions,
} from './define-tool.js';
export { ERROR_CODES, type ErrorCategory, type ErrorCode, type ErrorCodeEntry, errorCodeEntry } from './error-codes.js';
export type * from './error-response.js';
export { type FailOptions, fail } from './fail.js';
export type { Icon } from './icon.js';
export { immutable } from './immutable.js';
export type { ArgumentsOf, FromSchema, ToolArguments } from './infer-schema.js';
export type * from './json.js';
export type { Logger, LogLevel } from './logger.js';
export { audio, image, type MediaOptions, type MediaSource } from './media.js';
export { notFound } from './not-found.js';
export { notSecret } from './not-secret.js';
export { NullProgressReporter } from './null-progress-reporter.js';
export { type OkExtras, ok } from './ok.js';
export { PluginContext } from './plugin-context.js';
export type * from './progress-reporter.js';
export type * from './register.js';
export type * from './schema.js';
export type * from './schema-input.js';
export { secret } from './secret.js';
export { secretLines } from './secret-lines.js';
export { type SecretString, type SecretStringOptions, secretString } from './secret-string.js';
export type {
  StandardInput,
  StandardIssue,
  StandardOutput,
  StandardResult,
  StandardSchema,
  StandardShape,
} from './standard-schema.js';
export type * from './tool.js';
