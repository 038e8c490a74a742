import { checkParams, type Handlers, invalidParams, type Params, RPC_CODES, RpcError } from '@mortise/mcp';
import type { CompletionRef } from '@mortise/plugin/runtime';
import { RequestCaller } from './caller.js';
import type { HandlerServices } from './handler-services.js';
import { answerError } from './result-of.js';

/** `completion/complete`. */
export function completionHandler({ host }: HandlerServices): Handlers {
  return {
    async 'completion/complete'(params, context) {
      const ref = completionRef(params.ref as Params);
      const argument = (params.argument ?? {}) as Params;
      checkParams({ argument }, { argument: 'object' });
      checkParams(argument, { name: 'string', value: 'string' }, 'params.argument');
      const known = (params.context ?? {}) as Params;
      checkParams(known, { arguments: 'strings?' }, 'params.context');
      await host.ready();
      const request = {
        ref,
        argument: argument.name as string,
        value: argument.value as string,
        knownArguments: (known.arguments ?? {}) as Record<string, string>,
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

/** @throws RpcError −32602 for a reference of another kind */
function completionRef(ref: Params): CompletionRef {
  switch (ref.type) {
    case 'ref/prompt':
      checkParams(ref, { name: 'string' }, 'params.ref');
      return { type: 'prompt', name: ref.name as string };
    case 'ref/resource':
      checkParams(ref, { uri: 'string' }, 'params.ref');
      return { type: 'resource', uriTemplate: ref.uri as string };
    default:
      throw invalidParams("params.ref.type must be 'ref/prompt' or 'ref/resource'.");
  }
}
