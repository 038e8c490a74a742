import { createCaller } from '../caller.js';
import type { Handler } from '../client-connection.js';
import { invalidParams } from '../errors.js';
import type { Front } from '../front.js';
import { stringParam } from '../params.js';
import { resultOf } from './result-of.js';

/** How many URIs one session may subscribe to: a bound for memory that no client of good will meets. */
const MAX_SUBSCRIPTIONS = 1_000;

/** The list of resources and of templates, reading, and the subscriptions of 2025-11-25 sessions. */
export function resourceHandlers({ host, pages, rounds }: Front): Record<string, Handler> {
  return {
    async 'resources/list'({ cursor }) {
      await host.listed();
      return pages.result(host.mcpLists(), 'resources', cursor);
    },

    async 'resources/templates/list'({ cursor }) {
      await host.listed();
      return pages.result(host.mcpLists(), 'templates', cursor);
    },

    async 'resources/read'(params, ctx, connection) {
      const uri = stringParam(params, 'uri');
      await host.listed();
      const round = await rounds.open(ctx, `resources/read ${uri}`, undefined);
      const caller = createCaller(connection, ctx, round);
      try {
        return await resultOf(await host.readResource(uri, caller), round, ({ contents }) => ({ contents }));
      } finally {
        caller.end();
      }
    },

    async 'resources/subscribe'(params, _ctx, { subscriptions }) {
      const uri = stringParam(params, 'uri');
      if (subscriptions.size >= MAX_SUBSCRIPTIONS && !subscriptions.has(uri)) {
        throw invalidParams(`A session can subscribe to ${MAX_SUBSCRIPTIONS} resources at most: unsubscribe first.`);
      }
      subscriptions.add(uri);
      host.watchResource(uri);
      return {};
    },

    async 'resources/unsubscribe'(params, _ctx, { subscriptions }) {
      subscriptions.delete(stringParam(params, 'uri'));
      return {};
    },
  };
}
