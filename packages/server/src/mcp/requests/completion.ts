import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CompletionRef } from '@mortise/plugin/runtime';
import { createCaller } from '../caller.js';
import type { Handler } from '../client-connection.js';
import { answerError, invalidParams } from '../errors.js';
import type { Front } from '../front.js';
import { objectParam, stringParam, stringsParam } from '../params.js';

/** `completion/complete`. */
export function completionHandlers({ host }: Front): Record<string, Handler> {
  return {
    async 'completion/complete'(params, ctx, connection) {
      const ref = completionRef(objectParam(params, 'ref') ?? {});
      const argument = objectParam(params, 'argument') ?? {};
      const name = stringParam(argument, 'name', 'params.argument.name');
      const value = stringParam(argument, 'value', 'params.argument.value');
      const input = stringsParam(objectParam(params, 'context') ?? {}, 'arguments', 'params.context.arguments');
      await host.ready();
      const caller = createCaller(connection, ctx);
      try {
        const answer = await host.complete({ ref, argument: name, value, knownArguments: input }, caller);
        if (answer.kind === 'input_required') {
          throw new ProtocolError(ProtocolErrorCode.InternalError, 'Completions cannot request input.');
        }
        if (answer.kind !== 'result') throw answerError(answer);
        const { values, total, hasMore } = answer;
        return { completion: { values, total, hasMore } };
      } finally {
        caller.end();
      }
    },
  };
}

/** @throws ProtocolError −32602 for a reference of another kind */
function completionRef(ref: Record<string, unknown>): CompletionRef {
  switch (ref.type) {
    case 'ref/prompt':
      return { type: 'prompt', name: stringParam(ref, 'name', 'params.ref.name') };
    case 'ref/resource':
      return { type: 'resource', uriTemplate: stringParam(ref, 'uri', 'params.ref.uri') };
    default:
      throw invalidParams("params.ref.type must be 'ref/prompt' or 'ref/resource'.");
  }
}
