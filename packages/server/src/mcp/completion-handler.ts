import { type Handlers, type ParamsOf, RPC_CODES, RpcError } from '@mortise/mcp';
import type { CompletionRef } from '@mortise/plugin/runtime';
import { RequestCaller } from './caller.js';
import type { HandlerServices } from './handler-services.js';
import { answerError } from './result-of.js';

/** `completion/complete`. */
export function completionHandler({ host }: HandlerServices): Handlers {
  return {
    async 'completion/complete'({ ref, argument, context: known }, context) {
      await host.ready();
      const request = {
        ref: toCompletionRef(ref),
        argument: argument.name,
        value: argument.value,
        knownArguments: known?.arguments ?? {},
      };
      const answer = await host.complete(request, new RequestCaller(context));
      if (answer.kind === 'input_required') {
        throw new RpcError(RPC_CODES.internalError, 'Completions cannot request input.');
      }
      if (answer.kind !== 'result') throw answerError(answer);
      const { values, total, hasMore } = answer;
      return { completion: { values, total, hasMore } };
    },
  };
}

function toCompletionRef(ref: ParamsOf<'completion/complete'>['ref']): CompletionRef {
  return ref.type === 'ref/prompt' ? { type: 'prompt', name: ref.name } : { type: 'resource', uriTemplate: ref.uri };
}
