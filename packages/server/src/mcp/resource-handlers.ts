import type { Handlers } from '@mortise/mcp';
import { principalOf, RequestCaller } from './caller.js';
import type { HandlerServices } from './handler-services.js';
import { resultOf } from './result-of.js';

/** The lists of resources and of templates, and `resources/read`. */
export function resourceHandlers({ host, pages, rounds }: HandlerServices): Handlers {
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
      const round = rounds.open(context, `resources/read ${uri}`, undefined);
      await host.listed();
      const answer = await host.readResource(uri, new RequestCaller(context, round));
      return resultOf(answer, round, ({ contents }) => ({ contents }));
    },
  };
}
