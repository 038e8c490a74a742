import type { Result } from '@modelcontextprotocol/server';
import type { CallAnswer } from '../../core/server-api.js';
import { createCaller } from '../caller.js';
import type { Handler } from '../client-connection.js';
import { answerError, invalidParams } from '../errors.js';
import type { Front } from '../front.js';
import type { InputRound } from '../input.js';
import { objectParam, stringParam } from '../params.js';

/** `tools/list` and `tools/call`. */
export function toolHandlers({ host, pages, rounds }: Front): Record<string, Handler> {
  return {
    async 'tools/list'({ cursor }) {
      await host.listed();
      return pages.result(host.mcpLists(), 'tools', cursor);
    },

    async 'tools/call'(params, ctx, connection) {
      const name = stringParam(params, 'name');
      const args = objectParam(params, 'arguments');
      const opening = rounds.open(ctx, `tools/call ${name}`, args ?? {});
      const round = opening instanceof Promise ? await opening : opening;
      const caller = createCaller(connection, ctx, round);
      try {
        return resultOf(await host.callTool(name, args, caller), name, round);
      } finally {
        caller.end();
      }
    },
  };
}

function unknownTool(name: string, { suggestions, refusal }: Extract<CallAnswer, { kind: 'unknown_tool' }>): Error {
  if (refusal === undefined) return invalidParams(`Unknown tool: ${name}`, { suggestions });
  const { code, message, hint } = refusal;
  return invalidParams(`Unknown tool: ${name}. ${sentence(message)} ${hint}`, { suggestions, problem: code });
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

function resultOf(answer: CallAnswer, name: string, round: InputRound): Result | Promise<Result> {
  switch (answer.kind) {
    case 'result':
    // Not sent: the SDK has no response for a request that its client has cancelled.
    case 'cancelled':
      return { ...answer.result };
    case 'input_required':
      return round.ask(answer);
    case 'unknown_tool':
      throw unknownTool(name, answer);
    case 'missing_capability':
      throw answerError(answer);
  }
}
