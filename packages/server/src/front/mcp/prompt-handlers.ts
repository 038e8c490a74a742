import type { Handlers } from '@mortise/mcp';
import { principalOf } from './caller.js';
import { ClientCall } from './client-call.js';
import type { HandlerServices } from './handler-services.js';

/** `prompts/list` and `prompts/get`. */
export function promptHandlers(services: HandlerServices): Handlers {
  const { server, pages } = services;
  return {
    async 'prompts/list'({ cursor }, context) {
      await server.listed();
      return pages.prompts(server.mcpLists(principalOf(context)).prompts, cursor);
    },

    async 'prompts/get'({ name, arguments: args = {} }, context) {
      const call = new ClientCall(services, context, { method: 'prompts/get', target: name, args });
      return call.run(
        server.listed().then(() => server.getPrompt(name, args, call.caller)),
        ({ description, messages, meta }) => ({
          ...(description !== undefined && { description }),
          messages,
          ...(meta && { _meta: meta }),
        }),
      );
    },
  };
}
