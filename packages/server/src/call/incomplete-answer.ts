import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import { type ErrorOutcome, type InputRequiredOutcome, isJsonObject } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import type { Answer, Caller } from '../core/server-api.js';
import { toErrorResult } from './results/error-result.js';

/** True if a call failed or asked questions, and so has no result. */
export const isIncomplete = (outcome: { readonly kind: string }): outcome is ErrorOutcome | InputRequiredOutcome =>
  outcome.kind === 'error' || outcome.kind === 'input_required';

/** Removes secrets from an error or from questions. */
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
 * Converts the redacted outcome of a call without a result to an answer: a JSON-RPC error, the questions, or the
 * capability that the client lacks.
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
      ...membersOf(outcome.rpcData),
      code,
      ...(hint ? { hint } : {}),
      ...retryDelay(data?.additionalData),
    } as JsonObject,
  };
}

/** Returns the `data` of a mounted server's error as members that can be merged with Mortise's own. */
const membersOf = (rpcData: unknown): object =>
  isJsonObject(rpcData) ? rpcData : rpcData == null ? {} : { data: rpcData };

/** Converts `retryAfterMs`, which results have as text, to a number. */
function retryDelay({ retryAfterMs }: Readonly<Record<string, unknown>> = {}): JsonObject {
  return retryAfterMs === undefined ? {} : { retryAfterMs: Number(retryAfterMs) };
}
