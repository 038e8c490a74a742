import type { CallChannel, ErrorOutcome, PluginProblem } from '@mortise/plugin/runtime';
import { errorOutcome } from '../../call/results/error-outcomes.js';
import type { RunnerCallbacks } from '../../core/plugin-runner.js';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import { EXIT_CALLED } from '../worker/name-caller-of-exit.js';

/** Thrown if a call was aborted while the process that runs it continues. */
export class CallAbandonedError extends Error {}

/** Thrown if a plugin does not load. */
export class PluginUnavailableError extends Error {
  constructor(readonly problem: PluginProblem) {
    super(problem.message);
  }
}

/** Call this after a start: the started plugin may have a changed definition that is not accepted. @throws PluginUnavailableError */
export function throwIfBlocked({ blockedReason }: Pick<RunnerCallbacks, 'blockedReason'>): void {
  const problem = blockedReason?.();
  if (problem) throw new PluginUnavailableError(problem);
}

/** Converts an error of a runner to the outcome of the call. Throws any other error again. */
export function toErrorOutcome(plugin: string, error: unknown): ErrorOutcome {
  if (error instanceof PluginUnavailableError) {
    const { code, message, hint, location } = error.problem;
    const additionalData = { plugin, code, file: location.file };
    if (code === 'DOTNET_NOT_AVAILABLE')
      return errorOutcome('CAPABILITY_NOT_AVAILABLE', message, { hint, data: { exitCode: -1, additionalData } });
    const fault = code === 'PLUGIN_DEFINITION_CHANGED' ? 'is refused' : 'does not load';
    return errorOutcome('PLUGIN_UNAVAILABLE', `The plugin '${plugin}' ${fault}: ${message}`, {
      hint,
      data: { exitCode: -1, additionalData },
    });
  }
  if (error instanceof ProcessExitedError) {
    return errorOutcome('PLUGIN_CRASHED', `The plugin '${plugin}' crashed during the call: ${error.reason}`, {
      ...(error.output.includes(EXIT_CALLED) && {
        hint: 'Return fail(…) in the plugin instead of calling process.exit(). The next call starts the plugin again.',
      }),
      rawOutput: error.output,
      data: { exitCode: -1, additionalData: { plugin } },
    });
  }
  if (error instanceof CallAbandonedError) return errorOutcome('OPERATION_CANCELLED', error.message);
  throw error;
}

/** Calls `listener` when the call is aborted. Creates no AbortSignal if the channel has `onAbort`. */
export function onAbort(channel: CallChannel, listener: () => void): void {
  if (channel.onAbort) channel.onAbort(listener);
  else channel.signal.addEventListener('abort', listener, { once: true });
}

/** Waits for `promise` until the call is aborted. @throws CallAbandonedError */
export function raceWithAbort<T>(promise: Promise<T>, channel: CallChannel): Promise<T> {
  return new Promise((resolve, reject) => {
    onAbort(channel, () => reject(new CallAbandonedError('The call was cancelled while the plugin was starting')));
    promise.then(resolve, reject);
  });
}
