import type { ActionContext } from './action.js';

/**
 * Tells the log, and the client that listens to it, that an operation starts
 * (docs/spec/dotnet-runtime.md#log-messages).
 */
export function logStart(operation: string, { args, cwd, context }: ActionContext): void {
  const target = args.project ?? args.solution ?? cwd;
  context.logger.info(`${operation} of ${target} starts`);
}
