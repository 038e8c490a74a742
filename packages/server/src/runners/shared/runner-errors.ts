import type { CallPort, ErrorOutcome, PluginProblem } from '@mortise/plugin/runtime';
import type { PluginOwner } from '../../core/plugin-runner.js';
import { failure } from '../../results/error-outcomes.js';

/** What ran the plugin ended while work was going on. `output` is what it printed last. */
export class ProcessEnded extends Error {
  constructor(
    readonly reason: string,
    readonly output: string,
  ) {
    super(reason);
  }
}

/** The call was ended from outside, and what runs it goes on. */
export class CallAbandoned extends Error {}

/** The plugin does not load (any more). */
export class Unavailable extends Error {
  constructor(readonly problem: PluginProblem) {
    super(problem.message);
  }
}

/** A plugin that was started for a call may offer something else than what the call was meant for. @throws Unavailable */
export function throwIfRefused({ refusal }: Pick<PluginOwner, 'refusal'>): void {
  const problem = refusal?.();
  if (problem) throw new Unavailable(problem);
}

/** The outcome of a call that ended like this; what is none of these is thrown again. */
export function explainEnding(plugin: string, error: unknown): ErrorOutcome {
  if (error instanceof Unavailable) {
    const { code, message, hint, place } = error.problem;
    const additionalData = { plugin, code, file: place.file };
    if (code === 'DOTNET_NOT_AVAILABLE')
      return failure('CAPABILITY_NOT_AVAILABLE', message, { hint, data: { exitCode: -1, additionalData } });
    const why = code === 'PLUGIN_DEFINITION_CHANGED' ? 'is refused' : 'does not load';
    return failure('PLUGIN_UNAVAILABLE', `The plugin '${plugin}' ${why}: ${message}`, {
      hint,
      data: { exitCode: -1, additionalData },
    });
  }
  if (error instanceof ProcessEnded) {
    return failure('PLUGIN_CRASHED', `The plugin '${plugin}' ended during the call: ${error.reason}`, {
      rawOutput: error.output,
      data: { exitCode: -1, additionalData: { plugin } },
    });
  }
  if (error instanceof CallAbandoned) return failure('OPERATION_CANCELLED', error.message);
  throw error;
}

/** Hears when the call is ended from outside, the cheap way where there is one. */
export function onEnd(port: CallPort, listener: () => void): void {
  if (port.onEnd) port.onEnd(listener);
  else port.signal.addEventListener('abort', listener, { once: true });
}

/** What is being waited for, or nothing more once the call was ended from outside. @throws CallAbandoned */
export function untilEnd<T>(promise: Promise<T>, port: CallPort): Promise<T> {
  return new Promise((resolve, reject) => {
    onEnd(port, () => reject(new CallAbandoned('The plugin was still being started')));
    promise.then(resolve, reject);
  });
}
