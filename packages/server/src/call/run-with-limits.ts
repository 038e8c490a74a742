import type { CancelSignal } from '@mortise/mcp/util';
import type { CallerInfo, ClientCapabilities, ProgressReport } from '@mortise/plugin';
import type { CallChannel, ErrorOutcome, InputRequest, Outcome, PluginLogEntry } from '@mortise/plugin/runtime';
import type { RedactedLines, Redactor } from '@mortise/redact';
import { GRACE_MS } from '../core/grace-period.js';
import type { Runner } from '../core/plugin-runner.js';
import type { Principal } from '../core/principal.js';
import { askClient } from './ask-client.js';
import { CallLog, type CallServices } from './call-services.js';
import type { CallDeadline } from './deadline.js';
import {
  askIntercepted,
  type CallOwner,
  type InterceptedCall,
  runIntercepted,
} from './interceptors/call-interceptor.js';
import { ProgressLimiter } from './progress.js';
import { abortedOutcome } from './results/error-outcomes.js';
import { withinResultLimits } from './results/result-limits.js';

/** A call of a plugin's code: of a tool, a resource, a prompt or a completion. */
export interface LimitedCall extends Omit<InterceptedCall, 'ended' | 'slot' | 'callerSlot'> {
  readonly owner: CallOwner & { readonly runner?: Pick<Runner, 'isBlocked'> };
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
export function runWithLimits<T extends { kind: string }>(
  services: CallServices,
  call: LimitedCall,
  work: (channel: CallChannel) => Promise<T>,
): Promise<T | ErrorOutcome> {
  const { kind, owner, target, caller, graceMs = GRACE_MS } = call;
  const timeoutMs = timeoutOf(services, owner.plugin, call.timeoutMs);
  const deadline = services.deadlines.start(timeoutMs, caller.signal);
  const { tool, args } = call;
  const intercepted: InterceptedCall = {
    kind,
    owner,
    target,
    caller,
    tool,
    args,
    ended: deadline,
    slot: undefined,
    callerSlot: undefined,
  };
  const channel = new CallerChannel(services, call, intercepted, deadline);
  const toOutcome = (value: T | undefined): T | ErrorOutcome => {
    if (deadline.abortReason === undefined) return withinResultLimits(value!);
    const isBlocked = value === undefined && owner.runner?.isBlocked?.();
    const during = channel.isStarting ? 'starting' : isBlocked ? 'blocked' : undefined;
    return abortedOutcome(deadline.abortReason, timeoutMs, value as Outcome | undefined, during);
  };
  return runIntercepted<T>(
    services.interceptors,
    intercepted,
    () => withinGrace(deadline, graceMs, () => work(channel), toOutcome),
    () => {
      channel.end();
      deadline.stop();
    },
  );
}

/** How many milliseconds a call of the plugin can take; no limit while it runs under a debugger. */
function timeoutOf({ settings, inspected }: CallServices, plugin: string, ownMs = settings.Tools.TimeoutMs): number {
  return inspected.has(plugin) ? Number.POSITIVE_INFINITY : ownMs;
}

/** @param toOutcome gets what the work came to; undefined when it continued for longer than the grace after the signal */
function withinGrace<T, O>(
  ended: CancelSignal,
  graceMs: number,
  work: () => Promise<T>,
  toOutcome: (value: T | undefined) => O,
): Promise<O> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const settle = (value?: T) => {
      clearTimeout(timer);
      try {
        resolve(toOutcome(value));
      } catch (error) {
        reject(error);
      }
    };
    if (ended.aborted) {
      settle();
      return;
    }
    ended.addEventListener('abort', () => {
      timer = setTimeout(settle, graceMs);
    });
    work().then(settle, (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/** The channel to the caller, made for each call. Its parts are methods because closures would cost more than the rest of it. */
class CallerChannel implements CallChannel {
  readonly #deadline: CallDeadline;
  readonly #intercepted: InterceptedCall;
  readonly #services: CallServices;
  readonly #call: LimitedCall;
  readonly #limiter: ProgressLimiter | undefined;
  #log: CallLog | undefined;
  #messages: RedactedLines<ProgressReport> | undefined;
  /** The pages that the user was asked to open, by `elicitationId`. */
  #pages: Set<unknown> | undefined;
  isStarting = false;

  constructor(services: CallServices, call: LimitedCall, intercepted: InterceptedCall, deadline: CallDeadline) {
    const { caller } = call;
    this.#deadline = deadline;
    this.#intercepted = intercepted;
    this.#services = services;
    this.#call = call;
    if (caller.progress) this.#limiter = new ProgressLimiter(caller.progress.bind(caller));
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  /** For the server's own tools. */
  get principal(): Principal | undefined {
    return this.#call.caller.principal;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#call.caller.clientCapabilities;
  }

  get client(): object | undefined {
    return this.#call.caller.client;
  }

  get meta(): CallChannel['meta'] {
    return this.#call.caller.meta;
  }

  get caller(): CallerInfo | undefined {
    return this.#call.caller.info;
  }

  get protocolVersion(): string | undefined {
    return this.#call.caller.protocolVersion;
  }

  get inputMode(): CallChannel['inputMode'] {
    const { isTask, inputMode } = this.#call.caller;
    return isTask ? 'ask' : inputMode;
  }

  get onTask(): CallChannel['onTask'] {
    return this.#call.caller.onTask;
  }

  get answers(): CallChannel['answers'] {
    return this.#call.caller.answers ?? {};
  }

  get onceResults(): CallChannel['onceResults'] {
    return this.#call.caller.onceResults;
  }

  get #redactor(): Redactor {
    return this.#call.redactor ?? this.#services.redactor;
  }

  get wantsProgress(): boolean {
    return this.#call.caller.progress !== undefined;
  }

  onAbort(listener: () => void): void {
    this.#deadline.addEventListener('abort', listener);
  }

  progress(report: ProgressReport): void {
    const { message } = report;
    const limiter = this.#limiter;
    if (message === undefined || !limiter) {
      limiter?.report(report);
      return;
    }
    // Redacted before the limiter drops any: together they may be the lines of one secret.
    this.#messages ??= this.#redactor.lines((text, rest) => limiter.report({ ...rest, message: text }));
    this.#messages.add(message, report);
  }

  log(entry: PluginLogEntry): void {
    const { owner, caller, logFields } = this.#call;
    this.#log ??= new CallLog(this.#services, caller, owner.plugin, logFields);
    this.#log.add(entry);
  }

  /** Sends the reports that are held back. A second time nothing is left. */
  end(): void {
    this.#messages?.end();
    this.#log?.end();
    this.#limiter?.end();
  }

  requestInput(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    const count = Object.keys(requests).length;
    return askIntercepted(this.#services.interceptors, this.#intercepted, count, () => this.#ask(requests));
  }

  async #ask(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    const { caller } = this.#call;
    if (!caller.requestInput) throw new Error('This client does not support questions (elicitation)');
    const resume = this.#deadline.suspend();
    this.#pages ??= new Set();
    for (const { params } of Object.values(requests)) if (params.mode === 'url') this.#pages.add(params.elicitationId);
    const { AnswerWaitMs } = this.#services.settings.Tools;
    try {
      return await askClient(
        (asked, signal) => caller.requestInput!(asked, signal),
        this.#redactor.value(requests),
        AnswerWaitMs,
      );
    } finally {
      resume();
    }
  }

  expectElicitation(elicitationId: string): void {
    this.#pages ??= new Set();
    this.#pages.add(elicitationId);
  }

  /** Once for each page of this call. */
  completeElicitation(elicitationId: string): void {
    if (this.#pages?.delete(elicitationId)) this.#call.caller.completeElicitation?.(elicitationId);
  }
}
