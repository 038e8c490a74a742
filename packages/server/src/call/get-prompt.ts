import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject, PromptMessage } from '@mortise/plugin';
import type { CallChannel, ErrorOutcome, PromptDefinition, PromptOutcome } from '@mortise/plugin/runtime';
import { ownMember, suggestNames } from '@mortise/plugin/runtime';
import { isFirstParty } from '../access/operations.js';
import type { Answer, Caller } from '../core/server-api.js';
import type { Prompt } from '../core/snapshot.js';
import { promptLabel } from '../plugins/pins/plugin-pins.js';
import { answerCall, Call } from './call.js';
import type { CallServices } from './call-services.js';
import { isIncomplete, redactIncomplete, toIncompleteAnswer } from './incomplete-answer.js';
import { redactBlocks } from './results/redact-outcome.js';

export type PromptAnswer = Answer<{ description?: string; messages: PromptMessage[]; meta?: JsonObject }>;

/** Gets a plugin's prompt. Missing required arguments are an error that names them. */
export function getPrompt(
  services: CallServices,
  name: string,
  args: Record<string, string>,
  caller: Caller,
): Promise<PromptAnswer> {
  return answerCall(new PromptCall(services, name, args, caller));
}

class PromptCall extends Call<PromptOutcome, PromptAnswer> {
  readonly kind = 'prompt';
  #prompt: Prompt | undefined;

  constructor(
    services: CallServices,
    readonly target: string,
    readonly values: Record<string, string>,
    caller: Caller,
  ) {
    super(services, caller);
  }

  find(): boolean {
    this.#prompt = this.services.snapshot(this.caller.principal).findPrompt(this.target);
    if (this.#prompt) this.owner = this.#prompt;
    return this.#prompt !== undefined;
  }

  override get label(): string {
    return promptLabel(this.target);
  }

  notFound(): PromptAnswer {
    const { prompts } = this.services.snapshot(this.caller.principal);
    const names = prompts.map(({ definition }) => definition.name);
    return unknownPrompt(this.target, names);
  }

  override validate(): PromptAnswer | undefined {
    const missing = missingArguments(this.#prompt!.definition, this.values);
    return missing && { kind: 'error', code: RPC_CODES.invalidParams, ...missing };
  }

  run(channel: CallChannel): Promise<PromptOutcome> {
    const { runner, definition } = this.#prompt!;
    return runner.run({ do: 'prompt', name: definition.name, args: this.values }, channel);
  }

  redact(outcome: PromptOutcome | ErrorOutcome): PromptOutcome | ErrorOutcome {
    const { redactor } = this;
    if (isIncomplete(outcome)) return redactIncomplete(outcome, redactor);
    const visible = this.#hiddenNames()?.messages(outcome.messages) ?? outcome.messages;
    const blocks = visible.map(({ content }) => content);
    const contents = redactBlocks(blocks, redactor);
    const { description, meta } = outcome;
    return {
      ...outcome,
      messages: visible.map(({ role }, at) => ({ role, content: contents[at]! })),
      ...(description !== undefined && { description: redactor.text(description) }),
      ...(meta && { meta: redactor.value(meta) }),
    };
  }

  /** Only our own prompts name tools that the caller may not see. */
  #hiddenNames() {
    const { services, caller } = this;
    const { runner } = this.#prompt!;
    const isOurs = services.snapshot(undefined).tools.some((tool) => isFirstParty(tool) && tool.runner === runner);
    return isOurs ? services.hiddenNames(caller.principal) : undefined;
  }

  answer(outcome: PromptOutcome | ErrorOutcome): PromptAnswer {
    if (isIncomplete(outcome)) return toIncompleteAnswer(outcome, this.caller);
    const { description, messages, meta } = outcome;
    return { kind: 'result', ...(description !== undefined && { description }), messages, ...(meta && { meta }) };
  }
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
