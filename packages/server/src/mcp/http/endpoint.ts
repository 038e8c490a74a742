import type { IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest, isJsonContentType, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Front } from '../front.js';
import { LISTEN, watchListened } from '../listened.js';
import type { LiveConnections } from '../live-connections.js';
import { parseMessage } from '../message.js';
import { createRunning } from '../running.js';
import { readBody } from './body.js';
import { type Exchange, headerOf, idOf, requestOf } from './exchange.js';
import { createModernEndpoint } from './modern.js';
import { refuse, respondWithError } from './respond.js';
import { createSessionTable } from './session-table.js';
import { serveInSession } from './sessions.js';

const METHODS = 'GET, POST, DELETE';

/** The MCP endpoint, behind all checks of who may use it. */
export interface Endpoint {
  handle(exchange: Exchange): Promise<void>;
  /** Takes no more calls, and resolves when those that run are answered or `timeoutMs` is over. */
  drain(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Streamable HTTP: sessions for 2025-11-25 and older, single requests for 2026-07-28, distinguished by each message. */
export function createEndpoint(front: Front, live: LiveConnections): Endpoint {
  const { MaxBodyBytes } = front.host.settings.Http;
  const sessions = createSessionTable(front, live);
  const modern = createModernEndpoint(front);
  const running = createRunning();
  let posts = 0;
  let isDraining = false;

  const post = async (exchange: Exchange) => {
    const message = await readPost(exchange, MaxBodyBytes);
    if (message === undefined) return;
    const posted = { ...exchange, message };
    const request = requestOf(posted);
    if (request && isDraining) return refuse(posted.res, 503, 'The server is shutting down.', idOf(posted));
    if (request?.method === LISTEN) watchListened(front.host, request.params);
    else if (request) {
      const number = ++posts;
      running.add(number);
      posted.res.once('close', () => running.delete(number));
    }
    await (isLegacy(posted) ? serveInSession(sessions, posted) : modern.handle(posted));
  };

  return {
    async handle(exchange) {
      const { method } = exchange.req;
      if (method === 'POST') return post(exchange);
      if (method === 'GET' || method === 'DELETE') return serveInSession(sessions, exchange);
      refuse(exchange.res, 405, `${method} is not allowed here.`, { headers: { allow: METHODS } });
    },
    async drain(timeoutMs) {
      isDraining = true;
      await running.idle(timeoutMs);
    },
    async close() {
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}

/** The message in the body, or undefined when it is answered already: it was none. */
async function readPost({ req, res }: Exchange, maxBytes: number): Promise<JSONRPCMessage | undefined> {
  if (!isJsonContentType(req.headers['content-type'])) {
    refuse(res, 415, 'Content-Type must be application/json.');
    return undefined;
  }
  const body = await readBody(req, maxBytes);
  if (body === undefined) {
    refuseBody(req, res, maxBytes);
    return undefined;
  }
  const inbound = parseMessage(body);
  if (inbound.kind === 'message') return inbound.message;
  if (inbound.kind === 'refused') respondWithError(res, 400, inbound.error);
  else refuse(res, 400, inbound.reason);
  return undefined;
}

/** Lets the client finish a moment longer, so that it reads the answer before the connection ends. */
function refuseBody(req: IncomingMessage, res: ServerResponse, maxBytes: number): void {
  refuse(res, 413, `The body exceeds ${maxBytes} bytes (Http.MaxBodyBytes).`, {
    headers: { connection: 'close' },
  });
  req.resume();
  setTimeout(() => req.destroy(), 1_000).unref();
}

function isLegacy(exchange: Exchange): boolean {
  const protocolVersionHeader = headerOf(exchange, 'mcp-protocol-version');
  const mcpMethodHeader = headerOf(exchange, 'mcp-method');
  const mcpNameHeader = headerOf(exchange, 'mcp-name');
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body: exchange.message,
    ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    ...(mcpNameHeader !== undefined && { mcpNameHeader }),
  });
  return outcome.kind === 'legacy';
}
