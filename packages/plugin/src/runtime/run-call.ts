import type { CallContext } from '../call-context.js';
import { callBegan, callEnded } from '../open-failures.js';
import { ChannelCallContext } from './create-call-context.js';
import { unreadable } from './normalise.js';
import type { ErrorOutcome, InputRequiredOutcome } from './outcome.js';
import type { CallChannel } from './plugin-instance.js';
import { normaliseThrown } from './thrown.js';

export interface PluginCode<O> {
  /** The class name in log lines. */
  scope?: string | undefined;
  getConfig(key: string): string | null;
  run(context: CallContext): unknown;
  /** Must not throw. */
  normalise(returned: unknown): O;
  /** Called with mistakes of the code that are not errors of the call. */
  warn(message: string): void;
}

/**
 * Runs plugin code to its outcome. Resolves once and never rejects: either to the code's result or error, or, in mode
 * `retry`, to its questions. The first of them counts; later ones are dropped.
 */
export function runCall<O>(
  code: PluginCode<O>,
  channel: CallChannel,
): Promise<O | ErrorOutcome | InputRequiredOutcome> {
  return new Promise((settle) => {
    const { scope, getConfig } = code;
    let hasEnded = false;
    const resolve = (outcome: O | ErrorOutcome | InputRequiredOutcome) => {
      if (hasEnded) return;
      hasEnded = true;
      for (const { file, line } of callEnded()) code.warn(unusedFailure(file, line));
      for (const mistake of context.progressMistakes()) code.warn(mistake);
      settle(outcome);
    };
    callBegan();
    const context = new ChannelCallContext(channel, { scope, getConfig, interrupt: resolve });
    let returned: unknown;
    try {
      returned = code.run(context);
    } catch (thrown) {
      resolve(normaliseThrown(thrown));
      return;
    }
    try {
      if (!isThenable(returned)) {
        resolve(code.normalise(returned));
        return;
      }
    } catch (error) {
      resolve(unreadable(returned, error));
      return;
    }
    Promise.resolve(returned).then(
      (value) => resolve(code.normalise(value)),
      (thrown) => resolve(normaliseThrown(thrown)),
    );
  });
}

const unusedFailure = (file: string, line: number) =>
  `fail() at ${file}:${line} was neither returned nor thrown, so it does not end the call. Write return fail(…), or throw fail(…).`;

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as { then?: unknown }).then === 'function';
}
