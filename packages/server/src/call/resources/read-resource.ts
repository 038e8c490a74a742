import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject, ResourceContents } from '@mortise/plugin';
import type { CallChannel, ErrorOutcome, ReadOutcome } from '@mortise/plugin/runtime';
import type { Answer, Caller } from '../../core/server-api.js';
import { resourceLabel } from '../../plugins/pins/plugin-pins.js';
import { answerCall, Call } from '../call.js';
import type { CallServices } from '../call-services.js';
import { type FoundResource, findResource } from '../find-resource.js';
import { isIncomplete, redactIncomplete, toIncompleteAnswer } from '../incomplete-answer.js';
import { redactContents } from '../results/redact-outcome.js';

export type ReadAnswer = Answer<{ contents: ResourceContents[]; meta?: JsonObject }>;

/** Reads the resource with this URI. If no plugin has it, reads through the first template that matches the URI. */
export function readResource(services: CallServices, uri: string, caller: Caller): Promise<ReadAnswer> {
  return answerCall(new ResourceCall(services, uri, caller));
}

class ResourceCall extends Call<ReadOutcome, ReadAnswer> {
  readonly kind = 'resource';
  #found: FoundResource | undefined;

  constructor(
    services: CallServices,
    readonly target: string,
    caller: Caller,
  ) {
    super(services, caller);
  }

  find(): boolean {
    const { services, caller } = this;
    this.#found = findResource(services.viewOf(caller.principal), this.target, services.settings.Plugins.Limits);
    if (this.#found) this.owner = this.#found.resource;
    return this.#found !== undefined;
  }

  override get pinLabel(): string {
    return resourceLabel(this.target);
  }

  notFound(): ReadAnswer {
    return this.#notFound(`Resource not found: ${this.target}`);
  }

  /** An error in the form that the official SDK recognises as a missing resource. */
  #notFound(message: string): ReadAnswer {
    return {
      kind: 'error',
      code: RPC_CODES.resourceNotFound,
      message: this.redactor.text(message),
      data: { uri: this.redactor.text(this.target) },
    };
  }

  run(channel: CallChannel): Promise<ReadOutcome> {
    const { resource, key, variables } = this.#found!;
    return resource.runner.run({ do: 'read', key, uri: this.target, variables }, channel);
  }

  redact(outcome: ReadOutcome | ErrorOutcome): ReadOutcome | ErrorOutcome {
    if (isIncomplete(outcome)) return redactIncomplete(outcome, this.redactor);
    const { meta } = outcome;
    const contents = redactContents(outcome.contents, this.redactor);
    return { ...outcome, contents, ...(meta && { meta: this.redactor.value(meta) }) };
  }

  answer(outcome: ReadOutcome | ErrorOutcome): ReadAnswer {
    const [error] = outcome.kind === 'error' ? outcome.errors : [];
    if (error?.code === 'RESOURCE_NOT_FOUND') return this.#notFound(String(error.message));
    if (isIncomplete(outcome)) return toIncompleteAnswer(outcome, this.caller);
    const { contents, meta } = outcome;
    return { kind: 'result', contents, ...(meta && { meta }) };
  }
}
