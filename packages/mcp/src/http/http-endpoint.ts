import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '../core/mcp-server.js';
import { RPC_CODES } from '../json-rpc/codes.js';
import { type Inbound, parseMessage, type RpcNotification, type RpcRequest } from '../json-rpc/messages.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import type { ClientDeclaration } from '../protocol/client-declaration.js';
import { supportedVersions } from '../protocol/versions.js';
import { answerPreflight, createAddressCheck, isAmbiguous } from './address-check.js';
import {
  type Exchange,
  headerOf,
  RETRY_LATER,
  refuse,
  respondWithError,
  respondWithStatus,
  respondWithWord,
} from './exchange.js';
import { classifyNotification, classifyRequest, paramHeaderError } from './header-rules.js';
import { type Authentication, type HttpEndpointOptions, type HttpSettings, withDefaults } from './http-options.js';
import { OpenStreams } from './open-streams.js';
import { readBody, refuseBody } from './read-body.js';
import { acceptsJsonAndEventStream, EVENT_STREAM, isIdentity, isJson, mcpHeaders, pathOf } from './request-parts.js';
import { Session } from './session.js';
import { SessionTable } from './session-table.js';
import { StatelessExchange } from './stateless-exchange.js';

const METHODS = 'GET, POST, DELETE';
const DRAIN_MS = 1_000;
/** The time that requests have to answer after the server has cancelled them. */
const CANCEL_MS = 1_000;

/** Streamable HTTP at one path of an HTTP server: sessions until 2025-11-25, single requests of 2026-07-28. */
export interface HttpEndpoint {
  /** Serves one request. Checks Host and Origin, then the key, before it reads the body. Never throws. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  /**
   * Refuses further requests, ends the streams that wait for announcements, and resolves when the running requests are
   * answered, or after `timeoutMs`.
   */
  drain(timeoutMs: number): Promise<void>;
  /**
   * Refuses further requests, waits up to `drainMs` (default 1,000) for the running ones, cancels the rest, and ends all
   * sessions and streams. Each request whose handler ends within a second of its cancellation is answered.
   */
  close(drainMs?: number): Promise<void>;
  /** Ends the sessions, streams and requests whose authorization no longer holds. */
  revoke(isRevoked: (authorization: unknown) => boolean): void;
  /**
   * Ends the sessions and the streams for announcements whose authorization has expired. Running requests go on, and a
   * session lasts until they are answered.
   * @returns the number of sessions that still wait for requests; call again later to end them
   */
  expire(isExpired: (authorization: unknown) => boolean): number;
}

/** Makes the endpoint, which serves nothing until an HTTP server passes requests to `handle`. */
export function createHttpEndpoint(server: McpServer, options: HttpEndpointOptions = {}): HttpEndpoint {
  return new Endpoint(server, withDefaults(options));
}

interface StreamDetails {
  readonly id?: RpcRequest['id'];
  /** Whether the session already has this stream. The new stream replaces it or is refused, so the limit does not apply. */
  readonly isReplacement?: boolean;
}

class Endpoint implements HttpEndpoint {
  readonly #server: McpServer;
  readonly #settings: HttpSettings;
  readonly #sessions: SessionTable;
  readonly #streams: OpenStreams;
  readonly #addressProblem: ReturnType<typeof createAddressCheck>;

  constructor(server: McpServer, settings: HttpSettings) {
    this.#server = server;
    this.#settings = settings;
    this.#sessions = new SessionTable(settings);
    this.#streams = new OpenStreams(settings.maxStreamsOf);
    this.#addressProblem = createAddressCheck(settings);
  }

  handle(req: IncomingMessage, res: ServerResponse): void {
    this.#run(res, () => this.#admit(req, res));
  }

  drain(timeoutMs: number): Promise<void> {
    const drained = this.#server.drain(timeoutMs);
    this.#server.endListens(() => true);
    this.#sessions.stopListening();
    return drained;
  }

  async close(drainMs = DRAIN_MS): Promise<void> {
    await this.drain(drainMs);
    this.#server.cancelAll();
    await this.#server.idle(CANCEL_MS);
    this.#sessions.closeAll();
    this.#server.abandonAll();
  }

  revoke(isRevoked: (authorization: unknown) => boolean): void {
    this.#sessions.closeAll(({ authorization }) => isRevoked(authorization));
    this.#server.abandon(({ authorization }) => isRevoked(authorization));
  }

  expire(isExpired: (authorization: unknown) => boolean): number {
    this.#server.endListens(({ authorization }) => isExpired(authorization));
    return this.#sessions.expire(({ authorization }) => isExpired(authorization));
  }

  /** Runs a step of serving a request. If it throws or rejects, the response is an internal error. */
  #run(res: ServerResponse, step: () => void | Promise<void>): void {
    try {
      step()?.catch((error) => this.#fail(res, error));
    } catch (error) {
      this.#fail(res, error);
    }
  }

  #fail(res: ServerResponse, error: unknown): void {
    this.#server.report(error);
    if (res.headersSent) res.destroy();
    else respondWithError(res, 500, this.#server.errorObject(error, undefined));
  }

  #admit(req: IncomingMessage, res: ServerResponse): void | Promise<void> {
    const path = pathOf(req);
    const publicRoute = this.#settings.publicRoutes[path];
    if (publicRoute) return respondWithWord(req, res, publicRoute());
    if (isAmbiguous(req)) return refuse(res, 400, 'The request has more than one Host header.');
    const problem = this.#addressProblem(req);
    const { allowedOrigins, authenticate, onRefused, serveOtherPath } = this.#settings;
    if (problem !== undefined) {
      onRefused(problem.reason, 403, req, undefined);
      return this.#refuse(res, 403, new RpcError(RPC_CODES.refused, problem.message));
    }
    if (!this.#isServed(path)) {
      if (serveOtherPath?.(req, res)) return;
      return refuse(res, 404, `Not found. The MCP endpoint is ${this.#settings.path}.`);
    }
    if (answerPreflight(req, res, allowedOrigins)) return;
    const authentication = authenticate(req);
    if (!(authentication instanceof Promise)) return this.#serve(req, res, authentication);
    return authentication.then((value) => this.#serve(req, res, value));
  }

  #isServed(path: string): boolean {
    const { path: own, hasSubpaths } = this.#settings;
    return own === undefined || path === own || path === `${own}/` || (hasSubpaths && path.startsWith(`${own}/`));
  }

  #serve(req: IncomingMessage, res: ServerResponse, authentication: Authentication): void {
    if ('status' in authentication) {
      const { status, message, headers = {} } = authentication;
      refuse(res, status, message, { headers });
      return;
    }
    const { principal, authorization, sessionOwner = authorization } = authentication;
    const exchange = { req, res, principal, authorization, sessionOwner };
    if (req.method === 'POST') this.#post(exchange);
    else if (req.method === 'GET') this.#get(exchange);
    else if (req.method === 'DELETE') this.#delete(exchange);
    else refuse(res, 405, `${req.method} is not allowed here.`, { headers: { allow: METHODS } });
  }

  #post(exchange: Exchange): void {
    const { req, res } = exchange;
    if (!isJson(req.headers['content-type'])) {
      refuse(res, 415, 'Content-Type must be application/json, in UTF-8.');
      return;
    }
    if (!isIdentity(req.headers['content-encoding'])) {
      refuse(res, 415, 'Content-Encoding must be identity: send the body without compression.');
      return;
    }
    readBody(req, this.#settings.maxBodyBytes, {
      take: (body) => this.#run(res, () => this.#receive(exchange, parseMessage(body, this.#settings))),
      refuse: (problem) => {
        if (problem === 'too large') refuseBody(req, res, this.#settings);
        else refuse(res, 400, 'The body is not valid UTF-8.', { code: RPC_CODES.parseError });
      },
    });
  }

  #receive(exchange: Exchange, message: Inbound): void | Promise<void> {
    const { res } = exchange;
    switch (message.kind) {
      case 'invalid':
        return this.#refuse(res, 400, message.error, message.id);
      case 'ignored':
        return refuse(res, 400, message.reason, { code: RPC_CODES.invalidRequest });
      case 'request':
        return this.#receiveRequest(exchange, message);
      case 'notification':
        return this.#receiveNotification(exchange, message);
      case 'response':
        this.#sessionOf(exchange)?.accept(message, res);
    }
  }

  #receiveRequest(exchange: Exchange, request: RpcRequest): void | Promise<void> {
    const { req, res } = exchange;
    const { id } = request;
    if (this.#server.isDraining) return this.#refuseWhileDraining(res, id);
    const classification = classifyRequest(request, mcpHeaders(exchange));
    if (classification.kind === 'refused') return this.#refuse(res, 400, classification.error, id);
    if (classification.kind === 'stateless') return this.#runStateless(exchange, request, classification.declaration);
    if (!acceptsJsonAndEventStream(req.headers.accept)) {
      const text = 'Not Acceptable: the header Accept must have application/json and text/event-stream.';
      return refuse(res, 406, text, { id });
    }
    if (request.method !== 'initialize') return this.#sessionOf(exchange, id)?.receive(request, res);
    const session = new Session(this.#server, exchange, this.#settings);
    session.initialize(request, res, () => this.#sessions.add(session));
  }

  #runStateless(exchange: Exchange, request: RpcRequest, declaration: ClientDeclaration): void | Promise<void> {
    const { toolSchema } = this.#settings;
    if (request.method === 'subscriptions/listen' && !this.#takeStream(exchange, { id: request.id })) return;
    const { name } = request.params;
    const schema =
      request.method === 'tools/call' && typeof name === 'string'
        ? toolSchema?.(name, exchange.authorization)
        : undefined;
    const check = (value: unknown) => {
      const error = value === undefined ? undefined : paramHeaderError(value, request, exchange.req.headers);
      if (error) this.#refuse(exchange.res, 400, error, request.id);
      else new StatelessExchange(this.#server, exchange, declaration, this.#settings).receive(request);
    };
    return schema instanceof Promise ? schema.then(check) : check(schema);
  }

  #receiveNotification(exchange: Exchange, notification: RpcNotification): void {
    const { res } = exchange;
    const classification = classifyNotification(notification, mcpHeaders(exchange));
    if (classification.kind === 'refused') this.#refuse(res, 400, classification.error);
    // With 2026-07-28 a client cancels by ending its request.
    else if (classification.kind === 'stateless-notification') respondWithStatus(res, 202);
    else this.#sessionOf(exchange)?.accept(notification, res);
  }

  #get(exchange: Exchange): void {
    const { req, res } = exchange;
    const session = this.#sessionOf(exchange);
    if (session === undefined) return;
    const lastEventId = headerOf(exchange, 'last-event-id');
    if (this.#server.isDraining) this.#refuseWhileDraining(res);
    else if (!req.headers.accept?.includes(EVENT_STREAM)) {
      refuse(res, 406, `Not Acceptable: the header Accept must have ${EVENT_STREAM}.`);
    } else if (this.#takeStream(exchange, { isReplacement: session.hasStream(lastEventId) })) {
      if (lastEventId === undefined) session.listen(res);
      else session.resume(lastEventId, res);
    }
  }

  /** Counts a stream that waits for announcements. @returns false if the request was refused because of the limit */
  #takeStream(exchange: Exchange, { id, isReplacement = false }: StreamDetails): boolean {
    if (isReplacement || this.#streams.hasRoom(exchange)) {
      this.#streams.add(exchange);
      return true;
    }
    const { req, res, authorization } = exchange;
    this.#settings.onRefused('TOO_MANY_STREAMS', 429, req, authorization);
    refuse(res, 429, 'Too many open streams of this caller.', { id, headers: RETRY_LATER });
    return false;
  }

  #delete(exchange: Exchange): void {
    const session = this.#sessionOf(exchange);
    if (session === undefined) return;
    this.#sessions.close(session);
    respondWithStatus(exchange.res, 200);
  }

  /** The session that a request names. @returns undefined if the request was refused because it has no such session */
  #sessionOf(exchange: Exchange, id?: RpcRequest['id']): Session | undefined {
    const { res } = exchange;
    const sessionId = headerOf(exchange, 'mcp-session-id');
    const session = sessionId === undefined ? undefined : this.#sessions.find(sessionId, exchange);
    const version = mcpHeaders(exchange).version;
    if (sessionId === undefined) {
      refuse(res, 400, 'The header Mcp-Session-Id is missing: send initialize, and use the id in its response.', {
        id,
      });
    } else if (session === undefined) {
      const reason = this.#sessions.has(sessionId) ? 'SESSION_OF_ANOTHER' : 'SESSION_NOT_FOUND';
      this.#settings.onRefused(reason, 404, exchange.req, exchange.authorization);
      const text = 'Session not found: it has expired or never existed. Send initialize to open a new one.';
      refuse(res, 404, text, { id, code: RPC_CODES.sessionNotFound });
    } else if (version !== undefined && !SESSION_VERSIONS.includes(version)) {
      const text = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${SESSION_VERSIONS.join(', ')})`;
      this.#refuse(res, 400, new RpcError(RPC_CODES.refused, text), id);
    } else {
      session.authorization = exchange.authorization;
      return session;
    }
    return undefined;
  }

  #refuseWhileDraining(res: ServerResponse, id?: RpcRequest['id']): void {
    refuse(res, 503, 'The server is shutting down.', { id, headers: { ...RETRY_LATER, connection: 'close' } });
  }

  /** Refuses with an error that quotes what the client sent, and is therefore redacted. */
  #refuse(res: ServerResponse, status: number, error: RpcError, id?: RpcRequest['id']): void {
    respondWithError(res, status, this.#server.errorObject(error, undefined), id);
  }
}

const SESSION_VERSIONS = supportedVersions('session', 'http');
