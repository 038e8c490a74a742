import type { ErrorResult } from '@mortise/plugin';
import { type CommandFailure, type FailureContext, failureOf } from '../advice/failure.js';
import type { CommandRun } from '../process/command-run.js';
import { ActionError } from './action.js';

export interface FailedCommand extends Omit<FailureContext, 'partialResult'> {
  readonly partialResult?: object | undefined;
  readonly metadata?: Record<string, string>;
  /** Replaces the advice of the diagnosis. */
  readonly advice?: Pick<ErrorResult, 'hint' | 'explanation' | 'recommendedAction' | 'rootCauseKind'> | undefined;
}

/** Creates the error for a failed command. The result of the call links to the full output. */
export function commandFailed(
  run: CommandRun,
  { partialResult, metadata, advice, ...context }: FailedCommand,
): ActionError {
  const { message, errors, ...options }: CommandFailure = failureOf(run, {
    ...context,
    ...(partialResult && { partialResult }),
  });
  const [first, ...more] = errors;
  return new ActionError(message, {
    ...options,
    errors: [{ ...first!, ...advice }, ...more],
    ...(metadata && { metadata }),
    output: run.output,
  });
}
