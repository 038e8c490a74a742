import type { ClientCapabilities } from '@mortise/plugin';
import type { CallChannel, ErrorOutcome, InputRequest, Outcome, PluginLogEntry } from '@mortise/plugin/runtime';
import type { RedactedLines, Redactor } from '@mortise/redact';
import { GRACE_MS } from '../core/limits.js';
import type { Caller } from '../core/server-api.js';
import type { PluginRef } from '../core/snapshot.js';
import { abortedOutcome } from '../results/error-outcomes.js';
import { withinResultLimits } from '../results/result-limits.js';
import type { PluginLimits } from '../settings/plugin-limits.js';
import type { CancelSignal } from '../util/cancel-signal.js';
import { type CallDeadline, startCallDeadline } from './deadline.js';
import type { PluginConcurrency } from './plugin-concurrency.js';
import { createProgressLimiter, type ProgressLimiter } from './progress.js';

export interface RunOptions {
  owner: PluginRef;
  /** Time in the queue counts; the clock stands while a question to the user is open. */
  timeoutMs: number;
  caller: Caller;
  concurrency: PluginConcurrency;
  /** For progress messages, and questions. */
  redactor: Redactor;
  shutdown: CancelSignal;
  log: { add(entry: PluginLogEntry): void; end(): void };
  /** How long the code may continue after its signal has fired, in milliseconds; default {@link GRACE_MS}. */
  graceMs?: number;
  /** Of what the code returns. */
  limits: PluginLimits;
}

/**
 * Runs a plugin's code when its turn comes, with progress, logs, questions, cancellation and a deadline. After the
 * deadline or a cancel, and a grace of 2 s, it is over: what the code still says becomes rawOutput.
 */
export async function runWithLimits<T extends { kind: string }>(
  options: RunOptions,
  work: (channel: CallChannel) => Promise<T>,
): Promise<T | ErrorOutcome> {
  const { timeoutMs, caller, owner, limits } = options;
  const deadline = startCallDeadline(timeoutMs, caller.signal, options.shutdown);
  try {
    const path = options.concurrency(owner, deadline.ended);
    const admission = path instanceof Promise ? await path : path;
    if (admission === undefined) return abortedOutcome(deadline.abortReason!, timeoutMs, undefined);
    if ('kind' in admission) return admission;
    const progress = createProgressLimiter(caller.progress?.bind(caller));
    const channel = new CallerChannel(options, deadline, progress);
    try {
      const value = await withinGrace(deadline.ended, options.graceMs ?? GRACE_MS, () => work(channel));
      if (deadline.abortReason) return abortedOutcome(deadline.abortReason, timeoutMs, value as Outcome | undefined);
      return withinResultLimits(value!, limits);
    } finally {
      channel.end();
      progress.end();
      admission.release();
    }
  } finally {
    deadline.stop();
  }
}

/** What the work came to; undefined when it continued for longer than the grace after the signal. */
function withinGrace<T>(ended: CancelSignal, graceMs: number, work: () => Promise<T>): Promise<T | undefined> {
  if (ended.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      timer = setTimeout(() => resolve(undefined), graceMs);
    };
    ended.addEventListener('abort', onAbort);
    const settle = () => {
      clearTimeout(timer);
      ended.removeEventListener('abort', onAbort);
    };
    work().then(
      (value) => {
        settle();
        resolve(value);
      },
      (error) => {
        settle();
        reject(error);
      },
    );
  });
}

/** A port on the caller, made for each call: its parts are methods, for closures would cost more than the rest of it. */
class CallerChannel implements CallChannel {
  readonly #options: RunOptions;
  readonly #deadline: CallDeadline;
  readonly #limiter: ProgressLimiter;
  #messages: RedactedLines<number> | undefined;

  constructor(options: RunOptions, deadline: CallDeadline, limiter: ProgressLimiter) {
    this.#options = options;
    this.#deadline = deadline;
    this.#limiter = limiter;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#options.caller.clientCapabilities;
  }

  get client(): object | undefined {
    return this.#options.caller.client;
  }

  get protocolVersion(): string | undefined {
    return this.#options.caller.protocolVersion;
  }

  get inputMode(): CallChannel['inputMode'] {
    return this.#options.caller.inputMode;
  }

  get answers(): CallChannel['answers'] {
    return this.#options.caller.answers ?? {};
  }

  get wantsProgress(): boolean {
    return this.#options.caller.progress !== undefined;
  }

  onAbort(listener: () => void): void {
    this.#deadline.ended.addEventListener('abort', listener);
  }

  progress(percent: number, message?: string): void {
    if (typeof message !== 'string' || !this.wantsProgress) {
      this.#limiter.report(percent);
      return;
    }
    // Before the guard leaves any out: they may be the lines of one secret.
    this.#messages ??= this.#options.redactor.lines((text, at) => this.#limiter.report(at, text));
    this.#messages.add(message, percent);
  }

  log(entry: PluginLogEntry): void {
    this.#options.log.add(entry);
  }

  /** Sends what is held back. */
  end(): void {
    this.#messages?.end();
    this.#options.log.end();
  }

  async requestInput(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    const { caller, redactor } = this.#options;
    if (!caller.requestInput) throw new Error('This client cannot be asked');
    const resume = this.#deadline.suspend();
    try {
      return await caller.requestInput(redactor.value(requests));
    } finally {
      resume();
    }
  }
}
