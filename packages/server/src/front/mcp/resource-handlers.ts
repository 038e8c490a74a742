import type { Handlers } from '@mortise/mcp';
import { principalOf, RequestCaller } from './caller.js';
import { ClientCall } from './client-call.js';
import type { HandlerServices } from './handler-services.js';

/** The lists of resources and of templates, and `resources/read`. */
export function resourceHandlers(services: HandlerServices): Handlers {
  const { host, pages } = services;
  return {
    async 'resources/list'({ cursor }, context) {
      await host.listed();
      const listed = await host.templateResources(new RequestCaller(context), cursor !== undefined);
      const { resources } = host.mcpLists(principalOf(context));
      return pages.resources(listed ? [...resources, ...listed] : resources, cursor);
    },

    async 'resources/templates/list'({ cursor }, context) {
      await host.listed();
      return pages.templates(host.mcpLists(principalOf(context)).templates, cursor);
    },

    async 'resources/read'({ uri }, context) {
      const call = new ClientCall(services, context, { method: 'resources/read', target: uri, args: undefined });
      const answer = host.listed().then(() => host.readResource(uri, call.caller));
      return call.run(answer, ({ contents, meta }) => ({ contents, ...(meta && { _meta: meta }) }));
    },
  };
}
