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
 * The caller as the plugin's code sees it, within the limits of the call. It is a class and not an object of closures,
 * because each call creates one, and creating the closures took longer than the rest of this file.
 */
export class CallerChannel implements CallChannel {
  readonly #deadline: CallDeadline;
  readonly #call: LimitedCall;
  readonly #limiter: ProgressLimiter | undefined;
  #log: CallLog | undefined;
  #progressLines: RedactedLines<ProgressReport> | undefined;
  /** The `elicitationId` of each page that the user was asked to open and that is not completed. */
  #pageIds: Set<unknown> | undefined;
  /** The runner sets this while the call waits for the plugin's process to start. */
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

  /** Used by the server's own tools. */
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
    // Redact before the limiter drops messages: a secret can span several of them.
    this.#progressLines ??= this.#call.redactor.lines((text, rest) => limiter.report({ ...rest, message: text }));
    this.#progressLines.add(message, report);
  }

  log(entry: PluginLogEntry): void {
    this.#log ??= new CallLog(this.#call);
    this.#log.add(entry);
  }

  /** Sends the log lines and the progress report that were held back. */
  end(): void {
    this.#progressLines?.end();
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
    for (const { params } of Object.values(requests)) {
      if (params.mode === 'url') this.expectElicitation(params.elicitationId as string);
    }
    const { AnswerWaitMs } = services.settings.Tools;
    try {
      return await askClient(caller.requestInput.bind(caller), this.#call.redactor.value(requests), AnswerWaitMs);
    } finally {
      resume();
    }
  }

  expectElicitation(elicitationId: string): void {
    this.#pageIds ??= new Set();
    this.#pageIds.add(elicitationId);
  }

  /** Tells the client once that the page is done. Ignores pages that this call did not ask the user to open. */
  completeElicitation(elicitationId: string): void {
    if (this.#pageIds?.delete(elicitationId)) this.#call.caller.completeElicitation?.(elicitationId);
  }
}
