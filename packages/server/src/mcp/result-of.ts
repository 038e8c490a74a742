import { type InputRequiredResult, type InputRound, missingCapability, RpcError } from '@mortise/mcp';
import type { Answer, IncompleteAnswer } from '../core/server-api.js';

/**
 * The MCP result of an answer, made by `toResult` when there is one.
 * @throws RpcError for an answer that is an error
 */
export function resultOf<T, R>(
  answer: Answer<T>,
  round: InputRound,
  toResult: (value: { kind: 'result' } & T) => R,
): R | InputRequiredResult {
  if (answer.kind === 'result') return toResult(answer);
  if (answer.kind === 'input_required') return round.ask(answer.requests, answer.onceResults);
  throw answerError(answer);
}

/** The error of an answer that is one: the host's own words and code, or −32021 with `data.requiredCapabilities`. */
export function answerError(
  answer: Extract<Answer<object>, { kind: 'error' }> | Extract<IncompleteAnswer, { kind: 'missing_capability' }>,
): RpcError {
  if (answer.kind === 'missing_capability') return missingCapability(answer.required);
  return new RpcError(answer.code, answer.message, answer.data);
}
