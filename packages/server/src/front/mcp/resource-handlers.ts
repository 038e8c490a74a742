import type { Handlers } from '@mortise/mcp';
import { principalOf, RequestCaller } from './caller.js';
import { ClientCall } from './client-call.js';
import type { HandlerServices } from './handler-services.js';

/** The lists of resources and of templates, and `resources/read`. */
export function resourceHandlers(services: HandlerServices): Handlers {
  const { server, pages } = services;
  return {
    async 'resources/list'({ cursor }, context) {
      await server.listed();
      const listed = await server.templateResources(new RequestCaller(context), cursor !== undefined);
      const { resources } = server.mcpLists(principalOf(context));
      return pages.resources(listed ? [...resources, ...listed] : resources, cursor);
    },

    async 'resources/templates/list'({ cursor }, context) {
      await server.listed();
      return pages.templates(server.mcpLists(principalOf(context)).templates, cursor);
    },

    async 'resources/read'({ uri }, context) {
      const call = new ClientCall(services, context, { method: 'resources/read', target: uri, args: undefined });
      const answer = server.listed().then(() => server.readResource(uri, call.caller));
      return call.run(answer, ({ contents, meta }) => ({ contents, ...(meta && { _meta: meta }) }));
    },
  };
}
