import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject, PromptMessage } from '@mortise/plugin';
import type { PromptOutcome } from '@mortise/plugin/runtime';
import { ownMember, suggestNames } from '@mortise/plugin/runtime';
import { isFirstParty } from '../access/operations.js';
import { callIdOf } from '../core/call-id.js';
import type { Answer, Caller } from '../core/server-api.js';
import { promptLabel } from '../lockfile/plugin-pins.js';
import { type CallServices, chargeIfLong } from './call-services.js';
import { toIncompleteAnswer } from './incomplete-answer.js';
import { redactBlocks } from './redact-outcome.js';
import { runWithLimits } from './run-with-limits.js';
import { unavailableOwner } from './unloaded-plugin.js';

export type PromptAnswer = Answer<{ description?: string; messages: PromptMessage[]; meta?: JsonObject }>;

/** Gets a plugin's prompt. Missing required arguments are an error that names them. */
export async function getPrompt(
  services: CallServices,
  name: string,
  args: Record<string, string>,
  caller: Caller,
): Promise<PromptAnswer> {
  const snapshot = services.snapshot(caller.principal);
  const prompt = snapshot.findPrompt(name);
  if (!prompt) {
    const isThere = () => services.snapshot(caller.principal).findPrompt(name) !== undefined;
    const unavailable = await unavailableOwner(services, promptLabel(name), caller, isThere);
    if (unavailable === 'there') return getPrompt(services, name, args, caller);
    if (unavailable) return toIncompleteAnswer(services, unavailable, caller);
    return unknownPrompt(
      name,
      snapshot.prompts.map(({ definition }) => definition.name),
    );
  }
  const missing = prompt.definition.arguments
    .filter((argument) => argument.required && !ownMember(args, argument.name))
    .map((argument) => argument.name);
  if (missing.length > 0) {
    const message = `The prompt '${name}' needs the argument${missing.length > 1 ? 's' : ''} ${missing.map((item) => `'${item}'`).join(', ')}`;
    return { kind: 'error', code: RPC_CODES.invalidParams, message, data: { missing } };
  }
  const outcome = await runWithLimits<PromptOutcome>(
    services,
    {
      kind: 'prompt',
      owner: prompt,
      target: name,
      caller,
      logFields: () => ({ prompt: name, callId: callIdOf(caller) }),
    },
    (channel) => prompt.runner.getPrompt(prompt.definition.name, args, channel),
  );
  if (outcome.kind !== 'success') return toIncompleteAnswer(services, outcome, caller);
  const startedAt = performance.now();
  const isOurs = services.snapshot(undefined).tools.some((tool) => isFirstParty(tool) && tool.runner === prompt.runner);
  const hidden = isOurs ? services.hiddenNames(caller.principal) : undefined;
  const visible = hidden?.messages(outcome.messages) ?? outcome.messages;
  const blocks = redactBlocks(
    visible.map(({ content }) => content),
    services.redactor,
  );
  const messages = visible.map(({ role }, at) => ({ role, content: blocks[at]! }));
  chargeIfLong(prompt.runner, startedAt);
  const { description, meta } = outcome;
  return {
    kind: 'result',
    ...(description === undefined ? {} : { description: services.redactor.text(description) }),
    messages,
    ...(meta && { meta: services.redactor.value(meta) }),
  };
}

/** The error for a prompt that does not exist, with similar names. @param names of all prompts */
export function unknownPrompt(name: string, names: string[]): Exclude<Answer<object>, { kind: 'result' }> {
  return {
    kind: 'error',
    code: RPC_CODES.invalidParams,
    message: `Unknown prompt: ${name}`,
    data: { suggestions: suggestNames(name, names) },
  };
}
