import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import { type ErrorOutcome, type InputRequiredOutcome, isJsonObject } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import type { Answer, Caller } from '../core/server-api.js';
import { toErrorResult } from './results/error-result.js';

/** Whether a call has no result. */
export const isIncomplete = (outcome: { readonly kind: string }): outcome is ErrorOutcome | InputRequiredOutcome =>
  outcome.kind === 'error' || outcome.kind === 'input_required';

/** The error or the questions of a read, a prompt or a completion without secrets. */
export function redactIncomplete<T extends ErrorOutcome | InputRequiredOutcome>(outcome: T, redactor: Redactor): T {
  if (outcome.kind === 'input_required') return { ...outcome, requests: redactor.value(outcome.requests) };
  const { errors, rpcData } = outcome;
  return {
    ...outcome,
    errors: redactor.value(errors),
    ...(rpcData !== undefined && { rpcData: redactor.value(rpcData) }),
  };
}

/**
 * A read, a prompt or a completion that has no result, as the answer of the method: a JSON-RPC error, or what the caller must
 * send first.
 * @param outcome redacted
 */
export function toIncompleteAnswer(
  outcome: ErrorOutcome | InputRequiredOutcome,
  caller: Caller,
): Exclude<Answer<object>, { kind: 'result' }> {
  if (outcome.kind === 'input_required') return outcome;
  if (outcome.requiredCapabilities && caller.inputMode === 'retry') {
    return { kind: 'missing_capability', required: outcome.requiredCapabilities };
  }
  const { code, message, hint, mcpErrorCode, data } = toErrorResult(outcome.errors[0]!);
  return {
    kind: 'error',
    code: mcpErrorCode ?? RPC_CODES.internalError,
    message,
    data: {
      ...rpcData(outcome.rpcData),
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
