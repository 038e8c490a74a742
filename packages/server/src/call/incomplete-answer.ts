import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import { type ErrorOutcome, type InputRequiredOutcome, isJsonObject } from '@mortise/plugin/runtime';
import type { Answer, Caller } from '../core/server-api.js';
import type { CallServices } from './call-services.js';
import { toErrorResult } from './results/error-result.js';

/** A read, prompt or completion that has no result, as the answer of the method: a JSON-RPC error, or what the caller must send first. */
export function toIncompleteAnswer(
  services: CallServices,
  outcome: ErrorOutcome | InputRequiredOutcome,
  caller: Caller,
): Exclude<Answer<object>, { kind: 'result' }> {
  if (outcome.kind === 'input_required') return { ...outcome, requests: services.redactor.value(outcome.requests) };
  if (outcome.requiredCapabilities && caller.inputMode === 'retry') {
    return { kind: 'missing_capability', required: outcome.requiredCapabilities };
  }
  const { code, message, hint, mcpErrorCode, data } = toErrorResult(services.redactor.value(outcome.errors[0]!));
  return {
    kind: 'error',
    code: mcpErrorCode ?? RPC_CODES.internalError,
    message,
    data: {
      ...rpcData(services.redactor.value(outcome.rpcData)),
      code,
      ...(hint ? { hint } : {}),
      ...retryOf(data?.additionalData),
    } as JsonObject,
  };
}

/** What a mounted server's error had as `data`, beside our own members. */
const rpcData = (data: unknown): object => (isJsonObject(data) ? data : data == null ? {} : { data });

/** When it can be tried again, in milliseconds, as a number. */
function retryOf({ retryAfterMs }: Readonly<Record<string, unknown>> = {}): JsonObject {
  return retryAfterMs === undefined ? {} : { retryAfterMs: Number(retryAfterMs) };
}
