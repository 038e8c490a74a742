import { createCaller } from '../caller.js';
import type { Handler } from '../client-connection.js';
import type { Front } from '../front.js';
import { stringParam, stringsParam } from '../params.js';
import { resultOf } from './result-of.js';

/** `prompts/list` and `prompts/get`. */
export function promptHandlers({ host, pages, rounds }: Front): Record<string, Handler> {
  return {
    async 'prompts/list'({ cursor }) {
      await host.listed();
      return pages.result(host.mcpLists(), 'prompts', cursor);
    },

    async 'prompts/get'(params, ctx, connection) {
      const name = stringParam(params, 'name');
      const args = stringsParam(params, 'arguments');
      await host.listed();
      const round = await rounds.open(ctx, `prompts/get ${name}`, args);
      const caller = createCaller(connection, ctx, round);
      try {
        const answer = await host.getPrompt(name, args, caller);
        return await resultOf(answer, round, ({ description, messages }) => ({
          ...(description !== undefined && { description }),
          messages,
        }));
      } finally {
        caller.end();
      }
    },
  };
}
