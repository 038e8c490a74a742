import { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Answer, IncompleteAnswer } from '../core/server-api.js';

/** −32602 with a message that names the parameter and its problem. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}

/** The error of an answer that is one: the host's own words and code, or −32021 with `data.requiredCapabilities`. */
export function answerError(
  answer: Extract<Answer<object>, { kind: 'error' }> | Extract<IncompleteAnswer, { kind: 'missing_capability' }>,
): ProtocolError {
  if (answer.kind === 'error') return new ProtocolError(answer.code, answer.message, answer.data);
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: answer.required });
}
