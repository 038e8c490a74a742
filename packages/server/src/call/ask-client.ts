import { RPC_CODES } from '@mortise/mcp';
import { CancelSource } from '@mortise/mcp/util';
import type { ErrorResult } from '@mortise/plugin';
import { type ErrorOutcome, type InputRequest, QuestionRefusedError } from '@mortise/plugin/runtime';
import { ClientErrorAnswer } from '../core/client-error-answer.js';
import type { Caller } from '../core/server-api.js';
import { capabilityNotAvailable, errorOutcome } from './results/error-outcomes.js';

/**
 * Sends questions to the client and waits for its answers (docs/spec/plugin-questions.md#answers).
 * @param waitMs the limit of the wait (`Tools.AnswerWaitMs`)
 * @returns the answers by the keys of `requests`. Nothing has validated them yet
 * @throws QuestionRefusedError with ANSWER_TIMEOUT, QUESTION_FAILED or CAPABILITY_NOT_AVAILABLE
 */
export async function askClient(
  requestInput: NonNullable<Caller['requestInput']>,
  requests: Record<string, InputRequest>,
  waitMs: number,
): Promise<Record<string, unknown>> {
  const wait = new CancelSource();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(refusal(errorOutcome('ANSWER_TIMEOUT', `No one answered the tool's question within ${waitMs} ms`)));
      wait.abort();
    }, waitMs).unref();
  });
  try {
    return await Promise.race([requestInput(requests, wait), timeout]);
  } catch (error) {
    throw error instanceof ClientErrorAnswer ? refusal(clientError(error)) : error;
  } finally {
    clearTimeout(timer);
  }
}

const refusal = ({ errors }: ErrorOutcome) => new QuestionRefusedError(errors as ErrorResult[]);

function clientError({ code, message }: ClientErrorAnswer): ErrorOutcome {
  // If the client does not know the method, it has declared a capability that it lacks.
  const lacksCapability = code === RPC_CODES.methodNotFound || code === RPC_CODES.missingCapability;
  if (!lacksCapability)
    return errorOutcome('QUESTION_FAILED', `The client answered the question with an error: ${message} (${code})`);
  return capabilityNotAvailable('elicitation', `the client answered the question with '${message}' (${code})`, [
    'Pass the values as arguments of the tool',
    'Use a client that can answer questions',
  ]);
}
