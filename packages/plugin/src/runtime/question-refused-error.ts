import type { ErrorResult } from '../error-response.js';
import { FAILURE, type FailureDetails } from '../result-details.js';

/**
 * Thrown in the tool if the server refuses to ask the client its question. If the tool does not catch it, the call
 * fails with `errors`.
 */
export class QuestionRefusedError extends Error {
  readonly [FAILURE]: FailureDetails;

  /** @param errors contains at least one error */
  constructor(readonly errors: ErrorResult[]) {
    const { message } = errors[0]!;
    super(message);
    this.name = 'QuestionRefusedError';
    this[FAILURE] = { message, errors, exitCode: -1 };
  }
}
