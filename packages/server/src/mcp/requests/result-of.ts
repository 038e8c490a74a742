import type { Result } from '@modelcontextprotocol/server';
import type { Answer } from '../../core/server-api.js';
import { answerError } from '../errors.js';
import type { InputRound } from '../input.js';

/**
 * The MCP result of an answer, made by `toResult` when there is one.
 * @throws ProtocolError for an answer that is an error
 */
export async function resultOf<T>(
  answer: Answer<T>,
  round: InputRound,
  toResult: (value: { kind: 'result' } & T) => Result,
): Promise<Result> {
  if (answer.kind === 'result') return toResult(answer);
  if (answer.kind === 'input_required') return round.ask(answer);
  throw answerError(answer);
}
