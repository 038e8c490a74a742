import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { McpConnection } from '../connection.js';
import type { Front } from '../front.js';
import { handlersOf } from '../requests/index.js';
import { paramHeaderError } from './check-param-headers.js';
import { authorized, type Exchange, requestOf } from './exchange.js';
import { respondWithError } from './respond.js';

/** Protocol 2026-07-28: each request is independent of all others. */
export interface ModernEndpoint {
  handle(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

/** Also notifies the open `subscriptions/listen` streams of changes that the host reports. */
export function createModernEndpoint(front: Front): ModernEndpoint {
  const { host, log } = front;
  const onerror = (error: Error) => log.debug('MCP over HTTP', { error: String(error) });
  const sdk = createMcpHandler(() => new McpConnection(front, { era: 'modern', handlers: handlersOf(front) }), {
    legacy: 'reject',
    onerror,
  });
  const stops = [
    host.on('listChanged', (what) => sdk.notify[`${what}Changed`]()),
    host.on('resourceUpdated', (uri) => sdk.notify.resourceUpdated(uri)),
  ];

  const headerError = async (exchange: Exchange) => {
    const request = requestOf(exchange);
    if (request?.method !== 'tools/call') return undefined;
    const find = () => host.mcpLists().tools.find(({ name }) => name === request.params?.name);
    await host.listed();
    if (!find()) await host.ready();
    const tool = find();
    return tool && paramHeaderError(tool.inputSchema, request, exchange.req.headers);
  };

  return {
    async handle(exchange) {
      const { req, res, message } = exchange;
      const { auth: authInfo } = authorized(exchange);
      const error = await headerError(exchange);
      if (error) return respondWithError(res, 400, { ...error, error: host.redact(error.error) });
      // The body is read already. Handed over this way it is not made text again, which deep nesting would break.
      const fetch = (request: Request) => sdk.fetch(request, { authInfo, parsedBody: message });
      await toNodeHandler({ fetch }, { maxRequestBodySize: Number.MAX_SAFE_INTEGER, onerror })(req, res);
    },
    async close() {
      for (const stop of stops) stop();
      await sdk.close();
    },
  };
}
