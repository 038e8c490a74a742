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

/** Gets a plugin's prompt. If required arguments are missing, the answer is an error that names them. */
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
    this.#prompt = this.services.viewOf(this.caller.principal).findPrompt(this.target);
    if (this.#prompt) this.owner = this.#prompt;
    return this.#prompt !== undefined;
  }

  override get pinLabel(): string {
    return promptLabel(this.target);
  }

  notFound(): PromptAnswer {
    const { prompts } = this.services.viewOf(this.caller.principal);
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
      messages: visible.map(({ role }, index) => ({ role, content: contents[index]! })),
      ...(description !== undefined && { description: redactor.text(description) }),
      ...(meta && { meta: redactor.value(meta) }),
    };
  }

  /** Only prompts that ship with the server can mention tools that the caller must not see. */
  #hiddenNames() {
    const { services, caller } = this;
    const { runner } = this.#prompt!;
    const shipsWithServer = services
      .viewOf(undefined)
      .tools.some((tool) => isFirstParty(tool) && tool.runner === runner);
    return shipsWithServer ? services.hiddenNames(caller.principal) : undefined;
  }

  answer(outcome: PromptOutcome | ErrorOutcome): PromptAnswer {
    if (isIncomplete(outcome)) return toIncompleteAnswer(outcome, this.caller);
    const { description, messages, meta } = outcome;
    return { kind: 'result', ...(description !== undefined && { description }), messages, ...(meta && { meta }) };
  }
}

/** Returns the error for required arguments of a prompt that are missing; undefined if there are none. */
export function missingArguments(
  { name, arguments: expected }: PromptDefinition,
  args: Record<string, string>,
): { message: string; data: { missing: string[] } } | undefined {
  const missing = expected
    .filter((argument) => argument.required && !ownMember(args, argument.name))
    .map((argument) => argument.name);
  if (missing.length === 0) return undefined;
  const names = missing.map((argument) => `'${argument}'`).join(', ');
  return {
    message: `The prompt '${name}' needs the argument${missing.length > 1 ? 's' : ''} ${names}`,
    data: { missing },
  };
}

/** Returns the error for a prompt that does not exist. @param names of all prompts; similar ones are suggested */
export function unknownPrompt(name: string, names: string[]): Exclude<Answer<object>, { kind: 'result' }> {
  return {
    kind: 'error',
    code: RPC_CODES.invalidParams,
    message: `Unknown prompt: ${name}`,
    data: { suggestions: suggestNames(name, names) },
  };
}
