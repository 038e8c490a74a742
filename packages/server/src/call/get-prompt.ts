import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject, PromptMessage } from '@mortise/plugin';
import type { PromptDefinition, PromptOutcome } from '@mortise/plugin/runtime';
import { ownMember, suggestNames } from '@mortise/plugin/runtime';
import { isFirstParty } from '../access/operations.js';
import { callIdOf } from '../core/call-id.js';
import type { Answer, Caller } from '../core/server-api.js';
import { promptLabel } from '../plugins/pins/plugin-pins.js';
import type { CallServices } from './call-services.js';
import { toIncompleteAnswer } from './incomplete-answer.js';
import { redactBlocks } from './results/redact-outcome.js';
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
  const missing = missingArguments(prompt.definition, args);
  if (missing) return { kind: 'error', code: RPC_CODES.invalidParams, message: missing.message, data: missing.data };
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
  const isOurs = services.snapshot(undefined).tools.some((tool) => isFirstParty(tool) && tool.runner === prompt.runner);
  const hidden = isOurs ? services.hiddenNames(caller.principal) : undefined;
  const visible = hidden?.messages(outcome.messages) ?? outcome.messages;
  const blocks = redactBlocks(
    visible.map(({ content }) => content),
    services.redactor,
  );
  const messages = visible.map(({ role }, at) => ({ role, content: blocks[at]! }));
  const { description, meta } = outcome;
  return {
    kind: 'result',
    ...(description === undefined ? {} : { description: services.redactor.text(description) }),
    messages,
    ...(meta && { meta: services.redactor.value(meta) }),
  };
}

/** What is wrong with the arguments of a prompt: the required ones that are missing. */
export function missingArguments(
  { name, arguments: expected }: PromptDefinition,
  args: Record<string, string>,
): { message: string; data: { missing: string[] } } | undefined {
  const missing = expected.filter((one) => one.required && !ownMember(args, one.name)).map((one) => one.name);
  if (missing.length === 0) return undefined;
  const names = missing.map((item) => `'${item}'`).join(', ');
  return {
    message: `The prompt '${name}' needs the argument${missing.length > 1 ? 's' : ''} ${names}`,
    data: { missing },
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
