import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject, JsonValue } from '@mortise/plugin';
import {
  type Completion,
  type ErrorOutcome,
  type InputRequest,
  isJsonObject,
  normaliseReturned,
  type Outcome,
} from '@mortise/plugin/runtime';
import { errorOutcome } from '../../call/results/error-outcomes.js';
import { toErrorOutcome } from '../shared/runner-errors.js';
import { UnansweredError } from './forwarded-request.js';
import { MissingResultError, RpcError } from './rpc-errors.js';
import { urlQuestions } from './url-questions.js';

/**
 * Converts a `tools/call` result by the rules for any tool.
 * @param wrapsOutput true if Mortise has wrapped the tool's output schema as `{result: …}`
 */
export function toolOutcome(result: JsonObject, wrapsOutput = false): Outcome {
  const { content, isError, structuredContent } = result;
  const isAbsent = structuredContent === undefined || (structuredContent === null && !wrapsOutput);
  const isWrapped = !isAbsent && isError !== true && (wrapsOutput || !isJsonObject(structuredContent));
  if (content === undefined && structuredContent === undefined)
    return errorOutcome('TOOL_INVALID_RESULT', 'The server returned a result without content');
  if (content != null && !Array.isArray(content))
    return errorOutcome('TOOL_INVALID_RESULT', 'The server returned content that is not a list of blocks');
  if (isError != null && typeof isError !== 'boolean')
    return errorOutcome('TOOL_INVALID_RESULT', 'The server returned isError that is not a boolean');
  const outcome = normaliseReturned({
    content: content ?? [],
    ...(!isAbsent && { structuredContent: isWrapped ? { result: structuredContent } : structuredContent }),
    ...(isError === true && { isError }),
  });
  const lacksContent = outcome.kind === 'success' && outcome.content.length === 0 && outcome.structured !== undefined;
  const withContent: Outcome = lacksContent
    ? { ...outcome, content: [{ type: 'json', value: structuredContent!, indent: 2 }] }
    : outcome;
  if (isWrapped && withContent.kind === 'success') withContent.wrapsStructured = true;
  return withContent;
}

/** Converts the error of a request to a mounted server. @throws the error itself if it does not end the request */
export function failedOutcome(plugin: string, method: string, error: unknown): ErrorOutcome {
  if (error instanceof UnansweredError) return error.outcome;
  // Resources and prompts answer with the server's JSON-RPC error itself.
  const isCall = method === 'tools/call';
  if (error instanceof MissingResultError) {
    return errorOutcome('TOOL_INVALID_RESULT', error.message, {
      ...(!isCall && { mcpErrorCode: RPC_CODES.internalError }),
    });
  }
  if (!(error instanceof RpcError)) return toErrorOutcome(plugin, error);
  const { code, message, data } = error;
  if (code === RPC_CODES.missingCapability && isJsonObject(data) && isJsonObject(data.requiredCapabilities)) {
    const missing = errorOutcome('CAPABILITY_NOT_AVAILABLE', message, { mcpErrorCode: RPC_CODES.internalError });
    return { ...missing, requiredCapabilities: data.requiredCapabilities };
  }
  const pages = urlQuestions(error);
  const outcome = errorOutcome('TOOL_ERROR', message, {
    ...((!isCall || pages) && { mcpErrorCode: code }),
    ...(isCall && data !== undefined && { rawOutput: { json: data as JsonValue } }),
    ...(pages && { hint: hintOf(pages) }),
    data: { exitCode: -1, additionalData: { plugin, rpcErrorCode: String(code) } },
  });
  return data === undefined ? outcome : { ...outcome, rpcData: data as JsonValue };
}

const hintOf = (pages: Record<string, InputRequest>): string => {
  const urls = Object.values(pages).map(({ params }) => params.url);
  return `Ask the user to open ${urls.join(' and ')}, then call again.`;
};

/** Reads the valid parts of a completion. */
export function parseCompletion(completion: unknown): Completion {
  const { values, total, hasMore } = isJsonObject(completion) ? completion : ({} as Record<string, unknown>);
  return {
    values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
    ...(Number.isSafeInteger(total) && { total: total as number }),
    ...(typeof hasMore === 'boolean' && { hasMore }),
  };
}
