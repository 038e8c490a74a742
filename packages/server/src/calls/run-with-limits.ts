import type { CancelSignal } from '@mortise/mcp/util';
import type { CallerInfo, ClientCapabilities, ProgressReport } from '@mortise/plugin';
import type { CallChannel, ErrorOutcome, InputRequest, Outcome, PluginLogEntry } from '@mortise/plugin/runtime';
import type { RedactedLines, Redactor } from '@mortise/redact';
import { GRACE_MS } from '../core/limits.js';
import type { Runner } from '../core/plugin-runner.js';
import type { Caller } from '../core/server-api.js';
import type { PluginRef } from '../core/snapshot.js';
import { abortedOutcome } from '../results/error-outcomes.js';
import { withinResultLimits } from '../results/result-limits.js';
import { CallLog, type CallServices } from './call-services.js';
import { type CallDeadline, startCallDeadline } from './deadline.js';
import { askIntercepted, type InterceptedCall, runIntercepted } from './interceptors/call-interceptor.js';
import { createProgressLimiter, type ProgressLimiter } from './progress.js';

/** A call of a plugin's code: of a tool, a resource, a prompt or a completion. */
export interface LimitedCall extends Omit<InterceptedCall, 'ended'> {
  readonly owner: PluginRef & { readonly runner?: Pick<Runner, 'isBlocked'> };
  /** How long it may take, its time in the queue included, in milliseconds; default `Tools.TimeoutMs`. An open question to the user suspends it. */
  timeoutMs?: number | undefined;
  /** How long the code may continue after its signal has fired, in milliseconds; default {@link GRACE_MS}. */
  graceMs?: number | undefined;
  /** For progress messages and questions; default the server's. */
  redactor?: Redactor;
  /** Fields of the call's log lines; called when something is logged, which most calls do not do. */
  logFields(): Record<string, unknown>;
}

/**
 * Runs a plugin's code between the interceptors, with progress, logs, questions, cancellation and a deadline. After the
 * deadline or a cancel, and the grace period, the call is over: what the code still returns becomes rawOutput.
 */
export async function runWithLimits<T extends { kind: string }>(
  services: CallServices,
  call: LimitedCall,
  work: (channel: CallChannel) => Promise<T>,
): Promise<T | ErrorOutcome> {
  const { kind, owner, target, caller, graceMs = GRACE_MS } = call;
  const timeoutMs = timeoutOf(services, owner.plugin, call.timeoutMs);
  const deadline = startCallDeadline(timeoutMs, caller.signal, services.shutdown);
  const { ended } = deadline;
  try {
    const intercepted: InterceptedCall = { kind, owner, target, caller, ended };
    return await runIntercepted<T>(services.interceptors, intercepted, async () => {
      const channel = new CallerChannel(services, call, intercepted, deadline);
      try {
        const value = await withinGrace(ended, graceMs, () => work(channel));
        if (deadline.abortReason) {
          const isBlocked = value === undefined && owner.runner?.isBlocked?.();
          return abortedOutcome(deadline.abortReason, timeoutMs, value as Outcome | undefined, isBlocked);
        }
        return withinResultLimits(value!, services.settings.Plugins.Limits);
      } finally {
        channel.end();
      }
    });
  } finally {
    deadline.stop();
  }
}

/** How many milliseconds a call of the plugin can take; no limit while it runs under a debugger. */
function timeoutOf({ settings, inspected }: CallServices, plugin: string, ownMs = settings.Tools.TimeoutMs): number {
  return inspected.has(plugin) ? Number.POSITIVE_INFINITY : ownMs;
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

/** The channel to the caller, made for each call. Its parts are methods because closures would cost more than the rest of it. */
class CallerChannel implements CallChannel {
  readonly #caller: Caller;
  readonly #interceptors: CallServices['interceptors'];
  readonly #intercepted: InterceptedCall;
  readonly #redactor: Redactor;
  readonly #deadline: CallDeadline;
  readonly #limiter: ProgressLimiter;
  readonly #log: CallLog;
  #messages: RedactedLines<ProgressReport> | undefined;
  /** The pages that the user was asked to open, by `elicitationId`. */
  #pages: Set<unknown> | undefined;

  constructor(
    services: CallServices,
    { caller, owner, redactor, logFields }: LimitedCall,
    intercepted: InterceptedCall,
    deadline: CallDeadline,
  ) {
    this.#caller = caller;
    this.#interceptors = services.interceptors;
    this.#intercepted = intercepted;
    this.#redactor = redactor ?? services.redactor;
    this.#deadline = deadline;
    this.#limiter = createProgressLimiter(caller.progress?.bind(caller));
    this.#log = new CallLog(services, caller, owner.plugin, logFields);
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#caller.clientCapabilities;
  }

  get client(): object | undefined {
    return this.#caller.client;
  }

  get caller(): CallerInfo | undefined {
    return this.#caller.info;
  }

  get protocolVersion(): string | undefined {
    return this.#caller.protocolVersion;
  }

  get inputMode(): CallChannel['inputMode'] {
    return this.#caller.inputMode;
  }

  get answers(): CallChannel['answers'] {
    return this.#caller.answers ?? {};
  }

  get onceResults(): CallChannel['onceResults'] {
    return this.#caller.onceResults;
  }

  get wantsProgress(): boolean {
    return this.#caller.progress !== undefined;
  }

  onAbort(listener: () => void): void {
    this.#deadline.ended.addEventListener('abort', listener);
  }

  progress(report: ProgressReport): void {
    const { message } = report;
    if (message === undefined || !this.wantsProgress) {
      this.#limiter.report(report);
      return;
    }
    // Redacted before the limiter drops any: together they may be the lines of one secret.
    this.#messages ??= this.#redactor.lines((text, rest) => this.#limiter.report({ ...rest, message: text }));
    this.#messages.add(message, report);
  }

  log(entry: PluginLogEntry): void {
    this.#log.add(entry);
  }

  /** Sends the reports that are held back. */
  end(): void {
    this.#messages?.end();
    this.#log.end();
    this.#limiter.end();
  }

  requestInput(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    const count = Object.keys(requests).length;
    return askIntercepted(this.#interceptors, this.#intercepted, count, () => this.#ask(requests));
  }

  async #ask(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    if (!this.#caller.requestInput) throw new Error('This client does not support questions (elicitation)');
    const resume = this.#deadline.suspend();
    this.#pages ??= new Set();
    for (const { params } of Object.values(requests)) if (params.mode === 'url') this.#pages.add(params.elicitationId);
    try {
      return await this.#caller.requestInput(this.#redactor.value(requests));
    } finally {
      resume();
    }
  }
  /** Once for each page of this call. */
  completeElicitation(elicitationId: string): void {
    if (this.#pages?.delete(elicitationId)) this.#caller.completeElicitation?.(elicitationId);
  }
}
