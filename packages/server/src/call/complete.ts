import { RPC_CODES } from '@mortise/mcp';
import type { CallChannel, Completion, CompletionRequest, ErrorOutcome } from '@mortise/plugin/runtime';
import type { Answer, Caller } from '../core/server-api.js';
import type { Prompt, Resource } from '../core/snapshot.js';
import { answerCall, Call } from './call.js';
import type { CallServices } from './call-services.js';
import { unknownPrompt } from './get-prompt.js';
import { redactIncomplete, toIncompleteAnswer } from './incomplete-answer.js';

export const MAX_COMPLETIONS = 100;
/** The time limit of a completion, unless `Tools.TimeoutMs` is lower. */
const COMPLETE_MS = 5_000;

export type CompleteAnswer = Answer<{ values: string[]; total: number; hasMore: boolean }>;

/** Completes an argument of a prompt or a variable of a resource template. */
export function complete(services: CallServices, request: CompletionRequest, caller: Caller): Promise<CompleteAnswer> {
  return answerCall(new CompletionCall(services, request, caller));
}

/** Errors that the caller sees. After any other error the completion has no values. */
const SHOWN_ERRORS: readonly string[] = ['TOOL_BUSY', 'SCOPE_MISSING'];

interface Completed {
  readonly kind: 'completed';
  readonly completion: Completion;
}

/** A completion has no grace period, and its plugin code cannot ask the caller for input. */
class CompletionCall extends Call<Completed, CompleteAnswer> {
  readonly kind = 'completion';
  #completable: Prompt | Resource | undefined;

  constructor(
    services: CallServices,
    readonly request: CompletionRequest,
    requester: Caller,
  ) {
    const { signal, client, principal } = requester;
    super(services, {
      ...{ signal, principal, clientCapabilities: {}, inputMode: 'ask' },
      ...(client && { client }),
      lacksScope: (scope) => requester.lacksScope?.(scope),
    });
    this.timeoutMs = Math.min(COMPLETE_MS, services.settings.Tools.TimeoutMs);
    this.graceMs = 0;
  }

  get target(): string {
    const { ref } = this.request;
    return ref.type === 'prompt' ? ref.name : ref.uriTemplate;
  }

  /** Clients complete at every key press, so log lines of completions have no call id. */
  override logFields(): Record<string, unknown> {
    return {};
  }

  find(): boolean {
    const { ref } = this.request;
    const { findPrompt, templates } = this.services.viewOf(this.caller.principal);
    this.#completable =
      ref.type === 'prompt'
        ? findPrompt(ref.name)
        : templates.find(({ definition }) => definition.uriTemplate === ref.uriTemplate);
    if (this.#completable) this.owner = this.#completable;
    return this.#completable !== undefined;
  }

  notFound(): CompleteAnswer {
    const { prompts } = this.services.viewOf(this.caller.principal);
    const names = prompts.map(({ definition }) => definition.name);
    return this.request.ref.type === 'prompt'
      ? unknownPrompt(this.target, names)
      : { kind: 'error', code: RPC_CODES.invalidParams, message: `Unknown resource template: ${this.target}` };
  }

  override validate(): CompleteAnswer | undefined {
    const hasCompletion = this.#completable!.definition.completes.includes(this.request.argument);
    return hasCompletion ? undefined : { kind: 'result', values: [], total: 0, hasMore: false };
  }

  async run(channel: CallChannel): Promise<Completed> {
    const outcome = await this.#completable!.runner.run({ do: 'complete', ...this.request }, channel);
    return { kind: 'completed', completion: 'values' in outcome ? outcome : { values: [] } };
  }

  redact(outcome: Completed | ErrorOutcome): Completed | ErrorOutcome {
    if (outcome.kind === 'completed') {
      const { completion } = outcome;
      const values = this.redactor.value(completion.values.slice(0, MAX_COMPLETIONS));
      const total = Math.max(completion.total ?? 0, completion.values.length);
      return { kind: 'completed', completion: { ...completion, values, total } };
    }
    const code = outcome.errors[0]?.code;
    if (SHOWN_ERRORS.includes(String(code))) return redactIncomplete(outcome, this.redactor);
    if (!this.caller.signal.aborted)
      this.services.log.warn('a completion timed out', { plugin: this.owner.plugin, code });
    return { kind: 'completed', completion: { values: [] } };
  }

  answer(outcome: Completed | ErrorOutcome): CompleteAnswer {
    if (outcome.kind === 'error') return toIncompleteAnswer(outcome, this.caller);
    const { values, total = 0, hasMore } = outcome.completion;
    return { kind: 'result', values, total, hasMore: hasMore === true || total > values.length };
  }
}
