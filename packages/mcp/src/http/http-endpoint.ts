import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '../core/mcp-server.js';
import { RPC_CODES } from '../json-rpc/codes.js';
import { type Inbound, parseMessage, type RpcNotification, type RpcRequest } from '../json-rpc/messages.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import type { ClientDeclaration } from '../protocol/client-declaration.js';
import { supportedVersions } from '../protocol/versions.js';
import { answerPreflight, createAddressCheck, isAmbiguous } from './address-check.js';
import { type Exchange, headerOf, refuse, respondWithError } from './exchange.js';
import { classifyNotification, classifyRequest, paramHeaderError } from './header-rules.js';
import { type HttpEndpointOptions, type HttpSettings, withDefaults } from './http-options.js';
import { readBody } from './read-body.js';
import { Session } from './session.js';
import { SessionTable } from './session-table.js';
import { StatelessExchange } from './stateless-exchange.js';

const METHODS = 'GET, POST, DELETE';
const CANCEL_MS = 1_000;

/** MCP at one path of an HTTP server: Streamable HTTP, sessions until 2025-11-25 and single requests of 2026-07-28. */
export interface HttpEndpoint {
  /** Serves one request. Host and Origin are checked, then the key, before anything of the body is read. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /**
   * Takes no more requests, waits up to `drainMs` for those that run, cancels the others, and ends all sessions and streams.
   * Each request whose handler ends in time is answered.
   */
  close(drainMs?: number): Promise<void>;
}

/**
 * @param server whose methods are served
 * @param options see there
 */
export function createHttpEndpoint(server: McpServer, options: HttpEndpointOptions = {}): HttpEndpoint {
  return new Endpoint(server, withDefaults(options));
}

class Endpoint implements HttpEndpoint {
  readonly #server: McpServer;
  readonly #settings: HttpSettings;
  readonly #sessions: SessionTable;
  readonly #addressProblem: ReturnType<typeof createAddressCheck>;

  constructor(server: McpServer, settings: HttpSettings) {
    this.#server = server;
    this.#settings = settings;
    this.#sessions = new SessionTable(settings);
    this.#addressProblem = createAddressCheck(settings);
  }

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await this.#handle(req, res);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return;
      this.#server.report(error, req.method);
      if (res.headersSent) res.destroy();
      else respondWithError(res, 500, this.#server.errorObject(error, undefined));
    }
  }

  async close(drainMs = CANCEL_MS): Promise<void> {
    await this.#server.drain(drainMs);
    this.#server.cancelAll();
    await this.#server.idle(CANCEL_MS);
    this.#sessions.closeAll();
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (isAmbiguous(req)) return refuse(res, 400, 'The request has more than one Host header.');
    const problem = this.#addressProblem(req);
    if (problem !== undefined) return this.#refuse(res, 403, new RpcError(RPC_CODES.refused, problem));
    const { path } = this.#settings;
    if (path !== undefined && (req.url ?? '/').split('?', 1)[0] !== path) {
      return refuse(res, 404, `Not found. The MCP endpoint is ${path}.`);
    }
    if (answerPreflight(req, res, this.#settings.allowedOrigins)) return;
    const authentication = this.#settings.authenticate(req);
    if ('status' in authentication) {
      const { status, message, headers = {} } = authentication;
      return refuse(res, status, message, { headers });
    }
    const exchange = { req, res, principal: authentication.principal };
    if (req.method === 'POST') return this.#post(exchange);
    if (req.method === 'GET') return this.#get(exchange);
    if (req.method === 'DELETE') return this.#delete(exchange);
    refuse(res, 405, `${req.method} is not allowed here.`, { headers: { allow: METHODS } });
  }

  async #post(exchange: Exchange): Promise<void> {
    const { req, res } = exchange;
    if (!isJson(req.headers['content-type'])) return refuse(res, 415, 'Content-Type must be application/json.');
    const body = await readBody(req, this.#settings.maxBodyBytes);
    if (body === undefined) return refuseBody(req, res, this.#settings);
    const message = parseMessage(body);
    switch (message.kind) {
      case 'invalid':
        return this.#refuse(res, 400, message.error, message.id);
      case 'ignored':
        return refuse(res, 400, message.reason);
      case 'request':
        return this.#postRequest(exchange, message);
      case 'notification':
        return this.#postNotification(exchange, message);
      case 'response':
        this.#inSession(exchange, message, (session) => session.receive(message, res));
    }
  }

  #postRequest(exchange: Exchange, request: RpcRequest): void | Promise<void> {
    const { res } = exchange;
    if (this.#server.isDraining) return refuse(res, 503, 'The server is shutting down.', { id: request.id });
    const classification = classifyRequest(request, mcpHeaders(exchange));
    if (classification.kind === 'refused') return this.#refuse(res, 400, classification.error, request.id);
    if (classification.kind === 'stateless') {
      return this.#runStateless(exchange, request, classification.declaration);
    }
    if (!acceptsBoth(exchange.req.headers.accept)) {
      const text = 'Not Acceptable: the header Accept must have application/json and text/event-stream.';
      return refuse(res, 406, text, { id: request.id });
    }
    if (request.method === 'initialize') return this.#openSession(exchange, request);
    this.#inSession(exchange, request, (session) => session.receive(request, res));
  }

  #runStateless(exchange: Exchange, request: RpcRequest, declaration: ClientDeclaration): void | Promise<void> {
    const { toolSchema } = this.#settings;
    const { name } = request.params;
    if (request.method === 'tools/call' && toolSchema && typeof name === 'string') {
      const schema = toolSchema(name);
      if (schema instanceof Promise) {
        return schema.then((value) => this.#checkAndRun(exchange, request, declaration, value));
      }
      return this.#checkAndRun(exchange, request, declaration, schema);
    }
    new StatelessExchange(this.#server, exchange, declaration, this.#settings).receive(request);
  }

  #checkAndRun(exchange: Exchange, request: RpcRequest, declaration: ClientDeclaration, schema: unknown): void {
    const { req, res } = exchange;
    const error = schema === undefined ? undefined : paramHeaderError(schema, request.params.arguments, req.headers);
    if (error) this.#refuse(res, 400, error, request.id);
    else new StatelessExchange(this.#server, exchange, declaration, this.#settings).receive(request);
  }

  #postNotification(exchange: Exchange, notification: RpcNotification): void {
    const { res } = exchange;
    const classification = classifyNotification(notification, mcpHeaders(exchange));
    if (classification.kind === 'refused') this.#refuse(res, 400, classification.error);
    // With 2026-07-28 a client cancels by ending its request.
    else if (classification.kind === 'stateless-notification') res.writeHead(202).end();
    else this.#inSession(exchange, notification, (session) => session.receive(notification, res));
  }

  #openSession({ res, principal }: Exchange, request: RpcRequest): void {
    const session = new Session(this.#server, principal, this.#settings);
    if (!this.#sessions.makeRoom(principal)) {
      const text = `Too many active sessions (${this.#settings.optionNames.maxSessions}).`;
      refuse(res, 503, text, { id: request.id, headers: { 'retry-after': '5' } });
      return;
    }
    session.initialize(request, res, () => this.#sessions.add(session));
  }

  #get(exchange: Exchange): void {
    const { req, res } = exchange;
    this.#inSession(exchange, undefined, (session) => {
      if (!req.headers.accept?.includes('text/event-stream')) {
        refuse(res, 406, 'Not Acceptable: the header Accept must have text/event-stream.');
        return;
      }
      const lastEventId = headerOf(exchange, 'last-event-id');
      if (lastEventId === undefined) session.listen(res);
      else session.resume(lastEventId, res);
    });
  }

  #delete(exchange: Exchange): void {
    this.#inSession(exchange, undefined, (session) => {
      this.#sessions.close(session);
      exchange.res.writeHead(200).end();
    });
  }

  /** Finds the session that a request names, or refuses the request. */
  #inSession(exchange: Exchange, message: Inbound | undefined, serve: (session: Session) => void): void {
    const { res, principal } = exchange;
    const id = message?.kind === 'request' ? message.id : undefined;
    const sessionId = headerOf(exchange, 'mcp-session-id');
    if (sessionId === undefined) {
      refuse(res, 400, 'The header Mcp-Session-Id is missing: initialize answers with one.', { id });
      return;
    }
    const session = this.#sessions.find(sessionId, principal);
    if (session === undefined) {
      const text = 'Session not found: it has expired or never existed. Send initialize to open a new one.';
      refuse(res, 404, text, { id, code: RPC_CODES.sessionNotFound });
      return;
    }
    const version = headerOf(exchange, 'mcp-protocol-version');
    if (version !== undefined && !SESSION_VERSIONS.includes(version)) {
      const text = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${SESSION_VERSIONS.join(', ')})`;
      this.#refuse(res, 400, new RpcError(RPC_CODES.refused, text), id);
      return;
    }
    this.#sessions.use(session, res);
    serve(session);
  }

  /** Refuses with an error that quotes what the client sent. */
  #refuse(res: ServerResponse, status: number, error: RpcError, id?: RpcRequest['id']): void {
    respondWithError(res, status, this.#server.errorObject(error, undefined), id);
  }
}

const SESSION_VERSIONS = supportedVersions('session', 'http');

function mcpHeaders(exchange: Exchange) {
  return {
    version: headerOf(exchange, 'mcp-protocol-version'),
    method: headerOf(exchange, 'mcp-method'),
    name: headerOf(exchange, 'mcp-name'),
  };
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && contentType.split(';', 1)[0]!.trim().toLowerCase() === 'application/json';
}

function acceptsBoth(accept: string | undefined): boolean {
  return accept?.includes('application/json') === true && accept.includes('text/event-stream');
}

/** Lets the client finish a moment longer, so that it reads the response before the connection ends. */
function refuseBody(req: IncomingMessage, res: ServerResponse, { maxBodyBytes, optionNames }: HttpSettings): void {
  refuse(res, 413, `The body exceeds ${maxBodyBytes} bytes (${optionNames.maxBodyBytes}).`, {
    headers: { connection: 'close' },
  });
  req.resume();
  setTimeout(() => req.destroy(), 1_000).unref();
}
