import { type CommandFailure, type FailureContext, failureOf } from '../diagnose/failure.js';
import type { CommandRun } from '../process/command-run.js';
import { ActionFailed } from './action.js';

export interface FailedCommand extends Omit<FailureContext, 'known'> {
  readonly known?: object | undefined;
  readonly metadata?: Record<string, string>;
}

/** The failure of a command, with everything that is known beside it; its whole output is linked. */
export function commandFailed(run: CommandRun, { known, metadata, ...context }: FailedCommand): ActionFailed {
  const { message, ...options }: CommandFailure = failureOf(run, { ...context, ...(known && { known }) });
  return new ActionFailed(message, { ...options, ...(metadata && { metadata }), output: run.output });
}
