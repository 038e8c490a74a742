import type { Handlers } from '@mortise/mcp';
import { principalOf, RequestCaller } from './caller.js';
import type { HandlerServices } from './handler-services.js';
import { resultOf } from './result-of.js';

/** `prompts/list` and `prompts/get`. */
export function promptHandlers({ host, pages, rounds }: HandlerServices): Handlers {
  return {
    async 'prompts/list'({ cursor }, context) {
      await host.listed();
      return pages.prompts(host.mcpLists(principalOf(context)).prompts, cursor);
    },

    async 'prompts/get'({ name, arguments: args = {} }, context) {
      const round = rounds.open(context, `prompts/get ${name}`, args);
      await host.listed();
      const answer = await host.getPrompt(name, args, new RequestCaller(context, round));
      return resultOf(answer, round, ({ description, messages }) => ({
        ...(description !== undefined && { description }),
        messages,
      }));
    },
  };
}
