import type { FromSchema } from '../infer-schema.js';
import type { TOOL_RESULTS } from './contract-schema.js';

export type * from '../error-response.js';
export { CONTRACT_VERSION, contractSchema, contractSchemaText } from './contract-schema.js';
export { isRetryable } from './is-retryable.js';
export { type NextCall, nextCall } from './next-call.js';
export {
  type AnyCallResult,
  type ParsedFailure,
  type ParsedResult,
  type ParsedSuccess,
  parseResult,
} from './parse-result.js';

/** structuredContent by tool name. */
export type ToolResults = { [T in keyof typeof TOOL_RESULTS]: FromSchema<(typeof TOOL_RESULTS)[T]> };
