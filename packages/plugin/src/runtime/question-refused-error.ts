import type { ErrorResult } from '../error-response.js';
import { FAILURE, type FailureDetails } from '../result-details.js';

/** Thrown to the tool when the host does not put its question to the client; uncaught it becomes these errors. */
export class QuestionRefusedError extends Error {
  readonly [FAILURE]: FailureDetails;

  /** @param errors at least one */
  constructor(readonly errors: ErrorResult[]) {
    const { message } = errors[0]!;
    super(message);
    this.name = 'QuestionRefusedError';
    this[FAILURE] = { message, errors, exitCode: -1 };
  }
}
