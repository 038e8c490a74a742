import type { CallPort, ErrorOutcome, InputRequest, Outcome, PluginLogEntry } from '@mortise/plugin/host';
import { endedCall } from '../contract/error-outcomes.js';
import type { Caller } from '../host.js';
import type { CancelSignal } from '../light-signal.js';
import type { Redactor } from '../redact/redactor.js';
import type { Admit } from './admit.js';
import { type CallClock, startCallClock } from './call-clock.js';
import { createProgressGuard } from './progress.js';

/** How long a plugin's code may go on after its signal has fired, in milliseconds (plugins.md §5). */
export const GRACE_MS = 2000;

export interface RunOptions {
  plugin: string;
  /** Time in the queue counts; the clock stands while a question to the user is open. */
  timeoutMs: number;
  caller: Caller;
  admit: Admit;
  /** For progress messages. */
  redactor: Redactor;
  shutdown: CancelSignal;
  log(entry: PluginLogEntry): void;
}

/**
 * Runs a plugin's code when its turn comes, with progress, logs, questions, cancellation and a deadline. After the
 * deadline or a cancel, and a grace of 2 s, it is over: what the code still says becomes rawOutput.
 */
export async function runInTurn<T extends { kind: string }>(
  options: RunOptions,
  work: (port: CallPort) => Promise<T>,
): Promise<T | ErrorOutcome> {
  const { timeoutMs, caller, plugin } = options;
  const clock = startCallClock(timeoutMs, caller.signal, options.shutdown);
  try {
    const admission = await options.admit(plugin, clock.ended);
    if (admission === undefined) return endedCall(clock.ending!, timeoutMs, undefined);
    if ('kind' in admission) return admission;
    const progress = createProgressGuard(redactedProgress(options));
    const port = createCallPort(options, clock, progress.report);
    try {
      const value = await withinGrace(clock.ended, () => work(port));
      return clock.ending ? endedCall(clock.ending, timeoutMs, value as Outcome | undefined) : value!;
    } finally {
      progress.end();
      admission.release();
    }
  } finally {
    clock.stop();
  }
}

/** What the work came to; undefined when it went on for longer than the grace after the signal. */
async function withinGrace<T>(ended: CancelSignal, work: () => Promise<T>): Promise<T | undefined> {
  if (ended.aborted) return undefined;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const graceOver = new Promise<undefined>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(undefined), GRACE_MS);
    };
    ended.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work(), graceOver]);
  } finally {
    clearTimeout(timer);
    ended.removeEventListener('abort', onAbort);
  }
}

function createCallPort({ caller, log }: RunOptions, clock: CallClock, progress: CallPort['progress']): CallPort {
  return {
    get signal() {
      return clock.signal;
    },
    onEnd: (listener) => clock.ended.addEventListener('abort', listener),
    clientCapabilities: caller.clientCapabilities,
    inputMode: caller.inputMode,
    answers: caller.answers ?? {},
    progress,
    log,
    async requestInput(requests: Record<string, InputRequest>) {
      if (!caller.requestInput) throw new Error('This client cannot be asked');
      const resume = clock.pause();
      try {
        return await caller.requestInput(requests);
      } finally {
        resume();
      }
    },
  };
}

function redactedProgress({ caller, redactor }: RunOptions): Caller['progress'] {
  const { progress } = caller;
  return progress && ((value, message) => progress(value, message === undefined ? undefined : redactor.text(message)));
}
