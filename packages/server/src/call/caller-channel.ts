import type { CallerInfo, ClientCapabilities, ProgressReport } from '@mortise/plugin';
import type { CallChannel, InputRequest, PluginLogEntry } from '@mortise/plugin/runtime';
import type { RedactedLines } from '@mortise/redact';
import type { Principal } from '../core/principal.js';
import { askClient } from './ask-client.js';
import type { CallDeadline } from './deadline.js';
import { askIntercepted } from './interceptors/call-interceptor.js';
import type { LimitedCall } from './limited-call.js';
import { CallLog } from './plugin-log.js';
import { ProgressLimiter } from './progress.js';

/**
 * What a plugin's code has of its caller: the caller itself, within the limits of the call. It is made for each call, and its
 * parts are methods, because closures would cost more than the rest of it.
 */
export class CallerChannel implements CallChannel {
  readonly #deadline: CallDeadline;
  readonly #call: LimitedCall;
  readonly #limiter: ProgressLimiter | undefined;
  #log: CallLog | undefined;
  #messages: RedactedLines<ProgressReport> | undefined;
  /** The pages that the user was asked to open, by `elicitationId`. */
  #pages: Set<unknown> | undefined;
  isStarting = false;

  constructor(call: LimitedCall, deadline: CallDeadline) {
    const { caller } = call;
    this.#deadline = deadline;
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
    this.#messages ??= this.#call.redactor.lines((text, rest) => limiter.report({ ...rest, message: text }));
    this.#messages.add(message, report);
  }

  log(entry: PluginLogEntry): void {
    const call = this.#call;
    this.#log ??= new CallLog(call.services, call.caller, call.owner.plugin, () => call.logFields());
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
    return askIntercepted(this.#call.services.interceptors, this.#call, count, () => this.#ask(requests));
  }

  async #ask(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    const { caller, services } = this.#call;
    if (!caller.requestInput) throw new Error('This client does not support questions (elicitation)');
    const resume = this.#deadline.suspend();
    this.#pages ??= new Set();
    for (const { params } of Object.values(requests)) if (params.mode === 'url') this.#pages.add(params.elicitationId);
    const { AnswerWaitMs } = services.settings.Tools;
    try {
      return await askClient(
        (asked, signal) => caller.requestInput!(asked, signal),
        this.#call.redactor.value(requests),
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
