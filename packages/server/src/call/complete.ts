import { RPC_CODES } from '@mortise/mcp';
import type { CallChannel, Completion, CompletionRequest, ErrorOutcome } from '@mortise/plugin/runtime';
import type { Answer, Caller } from '../core/server-api.js';
import type { CallServices } from './call-services.js';
import { unknownPrompt } from './get-prompt.js';
import { toIncompleteAnswer } from './incomplete-answer.js';
import type { CallOwner } from './interceptors/call-interceptor.js';
import { runWithLimits } from './run-with-limits.js';

export const MAX_COMPLETIONS = 100;
/** How long completing an argument may take, unless `Tools.TimeoutMs` is less, in milliseconds. */
const COMPLETE_MS = 5_000;

export type CompleteAnswer = Answer<{ values: string[]; total: number; hasMore: boolean }>;

/**
 * Completes an argument of a prompt or a variable of a template. It has a slot and a deadline as a call has, without a
 * grace period. The caller cannot be asked for input.
 */
export async function complete(
  services: CallServices,
  request: CompletionRequest,
  caller: Caller,
): Promise<CompleteAnswer> {
  const { ref } = request;
  const { findPrompt, prompts, templates } = services.snapshot(caller.principal);
  const target =
    ref.type === 'prompt'
      ? findPrompt(ref.name)
      : templates.find(({ definition }) => definition.uriTemplate === ref.uriTemplate);
  if (!target) {
    return ref.type === 'prompt'
      ? unknownPrompt(
          ref.name,
          prompts.map(({ definition }) => definition.name),
        )
      : { kind: 'error', code: RPC_CODES.invalidParams, message: `Unknown resource template: ${ref.uriTemplate}` };
  }
  if (!target.definition.completes.includes(request.argument))
    return { kind: 'result', values: [], total: 0, hasMore: false };
  const outcome = await completeWithLimits(
    services,
    target,
    ref.type === 'prompt' ? ref.name : ref.uriTemplate,
    caller,
    (channel) => target.runner.complete(request, channel),
  );
  if (outcome.kind === 'error') return toIncompleteAnswer(services, outcome, caller);
  const { completion } = outcome;
  const values = services.redactor.value(completion.values.slice(0, MAX_COMPLETIONS));
  const total = Math.max(completion.total ?? 0, completion.values.length);
  return { kind: 'result', values, total, hasMore: completion.hasMore === true || total > values.length };
}

/** The errors that the caller gets; with any other one there are zero values. */
const SHOWN_ERRORS: readonly string[] = ['TOOL_BUSY', 'SCOPE_MISSING'];

interface Completed {
  readonly kind: 'completed';
  readonly completion: Completion;
}

/** No values if they did not arrive within the time limit; a busy plugin is an error. */
async function completeWithLimits(
  services: CallServices,
  owner: CallOwner,
  target: string,
  origin: Caller,
  work: (channel: CallChannel) => Promise<Completion>,
): Promise<Completed | ErrorOutcome> {
  const { signal, client, principal } = origin;
  const caller: Caller = {
    ...{ signal, principal, clientCapabilities: {}, inputMode: 'ask' },
    ...(client && { client }),
    lacksScope: (scope) => origin.lacksScope?.(scope),
  };
  const timeoutMs = Math.min(COMPLETE_MS, services.settings.Tools.TimeoutMs);
  const outcome = await runWithLimits<Completed>(
    services,
    { kind: 'completion', owner, target, caller, timeoutMs, graceMs: 0, logFields: () => ({}) },
    async (channel) => ({ kind: 'completed', completion: await work(channel) }),
  );
  if (outcome.kind === 'completed' || SHOWN_ERRORS.includes(String(outcome.errors[0]?.code))) return outcome;
  if (!signal.aborted)
    services.log.warn('a completion timed out', { plugin: owner.plugin, code: outcome.errors[0]?.code });
  return { kind: 'completed', completion: { values: [] } };
}
