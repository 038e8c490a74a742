import { type HandlerResult, type Handlers, type ParamsOf, RPC_CODES, RpcError } from '@mortise/mcp';
import type { CompletionRef } from '@mortise/plugin/runtime';
import { ClientCall } from './client-call.js';
import type { HandlerServices } from './handler-services.js';

/** `completion/complete`. */
export function completionHandler(services: HandlerServices): Handlers {
  const { server } = services;
  return {
    async 'completion/complete'({ ref, argument, context: known }, context) {
      const target = ref.type === 'ref/prompt' ? ref.name : ref.uri;
      const call = new ClientCall(services, context, { method: 'completion/complete', target, args: undefined });
      const request = {
        ref: toCompletionRef(ref),
        argument: argument.name,
        value: argument.value,
        knownArguments: known?.arguments ?? {},
      };
      const answer = server.ready().then(() => server.complete(request, call.caller));
      const result = await call.run(answer, ({ values, total, hasMore }) => ({
        completion: { values, total, hasMore },
      }));
      if ('completion' in result) return result satisfies HandlerResult<'completion/complete'>;
      throw call.withId(new RpcError(RPC_CODES.internalError, 'Completions cannot request input.'));
    },
  };
}

function toCompletionRef(ref: ParamsOf<'completion/complete'>['ref']): CompletionRef {
  return ref.type === 'ref/prompt' ? { type: 'prompt', name: ref.name } : { type: 'resource', uriTemplate: ref.uri };
}
