import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  isJsonContentType,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { McpConnection } from '../connection.js';
import type { Front } from '../front.js';
import type { LiveConnections } from '../live-connections.js';
import { errorResponse, readMessage } from '../message.js';
import { readBody } from './body.js';
import { paramHeaderError } from './param-headers.js';
import { refuse, respondWithError } from './respond.js';
import { createSessionTable } from './session-table.js';

/** What the SDK's session transport uses too. */
const SESSION_NOT_FOUND = -32001;
const METHODS = 'GET, POST, DELETE';

/** The MCP endpoint, behind all checks of who may use it. */
export interface Endpoint {
  /** @param owner the name of the key that the request came with, or '' */
  handle(req: IncomingMessage, res: ServerResponse, owner: string): Promise<void>;
  /** Takes no more calls, and resolves when those that run are answered or `drainMs` is over. */
  drain(drainMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Streamable HTTP: sessions for 2025-11-25 and older, single requests for 2026-07-28, told apart by each message. */
export function createEndpoint(front: Front, live: LiveConnections): Endpoint {
  const { host, log } = front;
  const sessions = createSessionTable(front, live);
  const report = (error: Error) => log.debug('MCP over HTTP', { error: String(error) });
  const modern = createMcpHandler(() => new McpConnection(front, { era: 'modern' }), {
    legacy: 'reject',
    onerror: report,
  });
  const stops = [
    host.on('listChanged', (what) => modern.notify[`${what}Changed`]()),
    host.on('resourceUpdated', (uri) => modern.notify.resourceUpdated(uri)),
  ];
  const running = new Set<ServerResponse>();
  let isDraining = false;
  let whenIdle: (() => void) | undefined;

  const track = (res: ServerResponse) => {
    running.add(res);
    res.once('close', () => {
      if (running.delete(res) && running.size === 0) whenIdle?.();
    });
  };

  const post = async (req: IncomingMessage, res: ServerResponse, owner: string) => {
    if (!isJsonContentType(req.headers['content-type']))
      return refuse(res, 415, 'Content-Type must be application/json.');
    const body = await readBody(req, host.settings.Http.MaxBodyBytes);
    if (body === undefined) return refuseBody(req, res, host.settings.Http.MaxBodyBytes);
    const inbound = readMessage(body);
    if (inbound.kind === 'refused') return respondWithError(res, 400, inbound.error);
    if (inbound.kind === 'dropped') return refuse(res, 400, inbound.reason);
    const { message } = inbound;
    const id = isJSONRPCRequest(message) ? message.id : undefined;
    if (id !== undefined && isDraining) return refuse(res, 503, 'The server is shutting down.', { id });
    if (id !== undefined && methodOf(message) !== 'subscriptions/listen') track(res);
    return isLegacy(req, message) ? postToSession(req, res, owner, message, id) : postModern(req, res, owner, message);
  };

  const postToSession = async (
    req: IncomingMessage,
    res: ServerResponse,
    owner: string,
    message: JSONRPCMessage,
    id: RequestId | undefined,
  ) => {
    if (id === undefined || methodOf(message) !== 'initialize') return inSession(req, res, owner, message, id);
    const session = await sessions.open(owner);
    if (session) return session.handle(req, res, message);
    refuse(res, 503, 'Too many sessions are open (Http.MaxSessions), and all of them are at work.', {
      id,
      headers: { 'retry-after': '5' },
    });
  };

  const inSession = async (
    req: IncomingMessage,
    res: ServerResponse,
    owner: string,
    message?: JSONRPCMessage,
    id?: RequestId,
  ) => {
    const sessionId = single(req.headers['mcp-session-id']);
    if (sessionId === undefined) {
      return refuse(res, 400, 'The header Mcp-Session-Id is missing: initialize answers with one.', {
        ...(id !== undefined && { id }),
      });
    }
    const session = sessions.find(sessionId, owner);
    if (session) return session.handle(req, res, message);
    const text = 'Session not found: it has ended or never was. Send initialize to open a new one.';
    respondWithError(res, 404, errorResponse(SESSION_NOT_FOUND, text, id));
  };

  const postModern = async (req: IncomingMessage, res: ServerResponse, owner: string, message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message) && message.method === 'tools/call') {
      await host.ready();
      const tool = host.listing().tools.find(({ name }) => name === message.params?.name);
      const error = tool && paramHeaderError(tool.inputSchema, message, req.headers);
      if (error) return respondWithError(res, 400, error);
    }
    // The body is read already. Handed over this way it is not made text again, which deep nesting would break.
    const fetch = (request: Request) => modern.fetch(request, { authInfo: authInfo(owner), parsedBody: message });
    await toNodeHandler({ fetch }, { maxRequestBodySize: Number.MAX_SAFE_INTEGER, onerror: report })(req, res);
  };

  return {
    async handle(req, res, owner) {
      if (req.method === 'POST') return post(req, res, owner);
      if (req.method === 'GET' || req.method === 'DELETE') return inSession(req, res, owner);
      refuse(res, 405, `${req.method} is not allowed here.`, { headers: { allow: METHODS } });
    },
    async drain(drainMs) {
      isDraining = true;
      if (running.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, drainMs);
        whenIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    async close() {
      for (const stop of stops) stop();
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}

/** Lets the client finish a moment longer, so that it reads the answer before the connection ends. */
function refuseBody(req: IncomingMessage, res: ServerResponse, maxBytes: number): void {
  refuse(res, 413, `The body may have ${maxBytes} bytes at most (Http.MaxBodyBytes).`, {
    headers: { connection: 'close' },
  });
  req.resume();
  setTimeout(() => req.destroy(), 1_000).unref();
}

function isLegacy(req: IncomingMessage, body: JSONRPCMessage): boolean {
  const { headers } = req;
  const protocolVersionHeader = single(headers['mcp-protocol-version']);
  const mcpMethodHeader = single(headers['mcp-method']);
  const mcpNameHeader = single(headers['mcp-name']);
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    ...(mcpNameHeader !== undefined && { mcpNameHeader }),
  });
  return outcome.kind === 'legacy';
}

/** The key itself is not handed on. */
function authInfo(owner: string): AuthInfo {
  return { token: '', clientId: owner, scopes: [] };
}

function methodOf(message: JSONRPCMessage): string | undefined {
  return 'method' in message ? message.method : undefined;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
