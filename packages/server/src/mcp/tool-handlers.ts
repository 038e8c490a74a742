import { type HandlerResult, type Handlers, type InputRound, invalidParams } from '@mortise/mcp';
import type { CallAnswer } from '../core/server-api.js';
import { principalOf, RequestCaller } from './caller.js';
import type { HandlerServices } from './handler-services.js';
import { answerError } from './result-of.js';

/** `tools/list` and `tools/call`. */
export function toolHandlers({ host, pages, rounds }: HandlerServices): Handlers {
  return {
    async 'tools/list'({ cursor }, context) {
      await host.listed();
      return pages.tools(host.mcpLists(principalOf(context)).tools, cursor);
    },

    'tools/call'({ name, arguments: args }, context) {
      const round = rounds.open(context, `tools/call ${name}`, args ?? {});
      const answer = host.callTool(name, args, new RequestCaller(context, round));
      return answer.then((value) => resultOf(value, name, round));
    },
  };
}

function resultOf(answer: CallAnswer, name: string, round: InputRound): HandlerResult<'tools/call'> {
  switch (answer.kind) {
    case 'result':
    // Sent only if the server itself has ended the call.
    case 'cancelled':
      return answer.result;
    case 'input_required':
      return round.ask(answer.requests, answer.onceResults);
    case 'unknown_tool':
      throw unknownTool(name, answer);
    case 'missing_capability':
      throw answerError(answer);
  }
}

function unknownTool(name: string, { suggestions, refusal }: Extract<CallAnswer, { kind: 'unknown_tool' }>): Error {
  if (refusal === undefined) return invalidParams(`Unknown tool: ${name}`, { suggestions });
  const { code, message, hint } = refusal;
  return invalidParams(`Unknown tool: ${name}. ${sentence(message)} ${hint}`, { suggestions, problem: code });
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
