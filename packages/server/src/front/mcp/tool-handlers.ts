import { type HandlerResult, type Handlers, invalidParams, type RpcError } from '@mortise/mcp';
import type { CallAnswer } from '../../core/server-api.js';
import { sentence } from '../../util/sentence.js';
import { principalOf } from './caller.js';
import { ClientCall } from './client-call.js';
import type { HandlerServices } from './handler-services.js';

/** `tools/list` and `tools/call`. */
export function toolHandlers(services: HandlerServices): Handlers {
  const { server, pages } = services;
  return {
    async 'tools/list'({ cursor }, context) {
      await server.listed();
      const { tools, toolsOfAnyOutput } = server.mcpLists(principalOf(context));
      return pages.tools(context.connection.generation === 'stateless' ? toolsOfAnyOutput : tools, cursor);
    },

    'tools/call'({ name, arguments: args }, context) {
      const call = new ClientCall(services, context, { method: 'tools/call', target: name, args: args ?? {} });
      return server.callTool(name, args, call.caller).then(
        (answer) => resultOf(answer, name, call),
        (error) => call.fail(error),
      );
    },
  };
}

function resultOf(answer: CallAnswer, name: string, call: ClientCall): HandlerResult<'tools/call'> {
  switch (answer.kind) {
    case 'result':
      if (answer.result.isError) call.logFailure(answer);
      return answer.result;
    // The client gets this result only if the server itself ended the call. A client that cancelled expects none.
    case 'cancelled':
      return answer.result;
    case 'input_required':
      return call.round.ask(answer.requests, answer.onceResults);
    case 'unknown_tool':
      call.logFailure(answer);
      throw call.withId(unknownTool(name, answer));
    case 'error':
    case 'missing_capability':
      throw call.errorOf(answer);
  }
}

function unknownTool(
  name: string,
  { suggestions, refusal, notLoaded }: Extract<CallAnswer, { kind: 'unknown_tool' }>,
): RpcError {
  const unknown = `Unknown tool: ${name}`;
  if (refusal === undefined)
    return invalidParams(notLoaded === undefined ? unknown : `${unknown}. ${notLoaded}`, { suggestions });
  const { code, message, hint } = refusal;
  return invalidParams(`${unknown}. ${sentence(message)} ${hint}`, { suggestions, problem: code });
}
