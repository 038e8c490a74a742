import type { CallContext } from '../call-context.js';
import { callBegan, callEnded } from '../open-failures.js';
import { ChannelCallContext } from './create-call-context.js';
import { unreadable } from './normalise.js';
import type { ErrorOutcome, InputRequiredOutcome } from './outcome.js';
import type { CallChannel } from './plugin-instance.js';
import { normaliseThrown } from './thrown.js';

/** One call of plugin code. */
export interface PluginCode<O> {
  /** The class, for log lines. */
  scope?: string | undefined;
  getConfig(key: string): string | null;
  run(context: CallContext): unknown;
  /** Must not throw. */
  normalise(returned: unknown): O;
  /** Gets a mistake of the code that is not an error of the call. */
  warn(message: string): void;
}

/**
 * Runs plugin code to its outcome. Resolves once and never rejects: with what the code returned or threw, or with
 * its questions in mode `retry`, whichever comes first; what comes later is dropped.
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
  `fail() at ${file}:${line} was neither returned nor thrown: it does not end the call. Write return fail(…), or throw fail(…).`;

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as { then?: unknown }).then === 'function';
}
