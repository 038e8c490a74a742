import { RPC_CODES } from '../json-rpc/codes.js';
import {
  errorMessage,
  type Inbound,
  type InvalidMessage,
  notificationMessage,
  type Params,
  type RequestId,
  type RpcNotification,
  type RpcRequest,
  resultMessage,
} from '../json-rpc/messages.js';
import { invalidRequest, RpcError, unsupportedVersion } from '../json-rpc/rpc-error.js';
import { isObject } from '../json-rpc/values.js';
import {
  beginsSession,
  type ClientDeclaration,
  hasDeclaration,
  readDeclaration,
} from '../protocol/client-declaration.js';
import type { LoggingLevel } from '../protocol/logging-levels.js';
import { methodRule } from '../protocol/methods.js';
import type { NotificationMethod, Notifications, Result } from '../protocol/types.js';
import { type Generation, STATELESS_VERSIONS, type Transport } from '../protocol/versions.js';
import { CancelSource } from '../util/cancel-source.js';
import { IdMap } from '../util/id-map.js';
import type { AnyHandler, McpServer } from './mcp-server.js';
import type { Outlet } from './outlet.js';
import { PendingRequests } from './pending-requests.js';
import { RequestContext } from './request-context.js';
import type { PreparedResult } from './result-writer.js';
import { startTaskCall, type ToolHandler } from './task-methods.js';

export interface ConnectionOptions {
  readonly transport: Transport;
  /** Sends a message that belongs to no request. */
  readonly send: (json: string) => void;
  /** Default: the first message decides. */
  readonly generation?: Generation;
  /** The client's declaration. If it is set, the connection serves one request of 2026-07-28. */
  readonly declaration?: ClientDeclaration;
  readonly principal?: string | undefined;
  readonly authorization?: unknown;
  readonly sessionId?: string;
}

/** The shortest time between the last progress of a request and its response over stdio. */
const READ_PROGRESS_MS = 10;
const UNKNOWN_CLIENT: ClientDeclaration = { protocolVersion: '', clientInfo: undefined, capabilities: {} };

/**
 * One client over stdio, one session over HTTP, or one request of 2026-07-28 over HTTP. All requests take the same path,
 * whatever their version and transport: settle the version, find the method's rule, check the parameters, run the
 * handler, write the result.
 */
export class Connection {
  readonly server: McpServer;
  readonly transport: Transport;
  readonly principal: string | undefined;
  /** The authorization of the latest request. */
  authorization: unknown;
  readonly sessionId: string | undefined;
  /** Sends a message that belongs to no request. */
  readonly send: (json: string) => void;
  generation: Generation | undefined;
  /** The client's declaration in `initialize`. */
  declaration: ClientDeclaration = UNKNOWN_CLIENT;
  /** The level of the last `logging/setLevel`. */
  logLevel: LoggingLevel | undefined;
  readonly #running = new IdMap<RequestContext>();
  // Both are created at their first use, because a connection for a single request needs neither.
  #pending: PendingRequests | undefined;
  #subscriptions: Map<string, CancelSource> | undefined;
  /** True while the client has only sent `server/discover`: it may still begin a session with `initialize`. */
  #isProbing = false;
  #isClosed = false;
  /** Whether the connection was made with a declaration, and serves one request. */
  readonly #isDeclared: boolean;

  constructor(server: McpServer, options: ConnectionOptions) {
    const { transport, send, generation, declaration, principal, authorization, sessionId } = options;
    this.server = server;
    this.transport = transport;
    this.send = send;
    this.generation = generation;
    this.#isDeclared = declaration !== undefined;
    if (declaration) this.declaration = declaration;
    this.principal = principal;
    this.authorization = authorization;
    this.sessionId = sessionId;
  }

  /** The server's requests that the client has not answered. */
  get pending(): PendingRequests {
    this.#pending ??= new PendingRequests();
    return this.#pending;
  }

  /** The subscriptions of `resources/subscribe` by URI. Each fires when it ends. */
  get subscriptions(): Map<string, CancelSource> {
    this.#subscriptions ??= new Map();
    return this.#subscriptions;
  }

  /** Whether any request has no response yet. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Handles one message. @param outlet sends the responses and notifications that belong to the message */
  receive(message: Inbound, outlet: Outlet): void {
    if (message.kind === 'request') this.#receiveRequest(message, outlet);
    else if (message.kind === 'notification') this.#receiveNotification(message);
    else if (message.kind === 'invalid') this.refuse(message, outlet);
    else if (message.kind === 'ignored') this.server.report(new Error(message.reason));
    else if (!this.pending.settle(message))
      this.server.report(new Error('The client has answered a request that the server did not send.'));
  }

  /** Sends a notification that belongs to no request. */
  notify<M extends NotificationMethod>(method: M, params: Notifications[M]): void {
    if (!this.#isClosed) this.send(notificationMessage(method, params));
  }

  /** Asks for the client's roots outside of a request. @returns undefined if this client cannot be asked */
  askRoots(): Promise<Params> | undefined {
    if (this.#isClosed || !this.#hasRoots) return undefined;
    const { send, pending } = this;
    return pending.send({ method: 'roots/list', params: undefined, send, signal: new CancelSource() });
  }

  /** Answers a message with the error that refuses it. */
  refuse({ id, error }: Pick<InvalidMessage, 'id' | 'error'>, outlet: Outlet): void {
    const object = this.server.errorObject(error, this.generation);
    outlet.respond(errorMessage(id, object), { code: object.code, isRefusal: true });
  }

  /** Ends all requests and subscriptions. Nothing more is sent to the client. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const context of this.#running.values()) this.abandon(context);
    this.#pending?.rejectAll();
    for (const subscription of this.#subscriptions?.values() ?? []) subscription.abort();
    this.server.remove(this);
  }

  /** Forgets a request that was answered or cancelled. */
  finish(context: RequestContext): void {
    if (this.#running.get(context.id) !== context) return;
    this.#running.delete(context.id);
    this.server.ended(context);
  }

  /** Ends a request without a response. */
  abandon(context: RequestContext): void {
    context.abandon();
    this.finish(context);
  }

  /** Answers a request. Sends nothing if the client has cancelled it. */
  respond(context: RequestContext, result: Result | PreparedResult): void {
    let json: string;
    try {
      json = this.server.resultJson(result, context.request.method, this.generation!);
    } catch (error) {
      this.#fail(context, error, false);
      return;
    }
    if (!context.isEnded) {
      context.end();
      context.outlet.respond(resultMessage(context.id, json), undefined, context.httpResponse);
    }
    this.finish(context);
  }

  #receiveNotification({ method, params }: RpcNotification): void {
    if (method === 'notifications/initialized') this.#open();
    else if (method === 'notifications/cancelled') this.#cancel(params.requestId);
    else if (method === 'notifications/roots/list_changed' && this.#hasRoots) this.server.options.rootsChanged?.();
  }

  /** Opens the session: from now on the client gets notifications that belong to no request. */
  #open(): void {
    if (this.generation !== 'session' || this.#isClosed) return;
    this.server.add(this);
    if (this.#hasRoots) this.server.options.rootsChanged?.();
  }

  /** Whether the client can be asked for its roots outside of a request. Over HTTP it may have no open stream. */
  get #hasRoots(): boolean {
    return this.transport === 'stdio' && this.generation === 'session' && isObject(this.declaration.capabilities.roots);
  }

  #cancel(id: unknown): void {
    const context = typeof id === 'string' || typeof id === 'number' ? this.#running.get(id) : undefined;
    if (context) this.abandon(context);
  }

  #receiveRequest(request: RpcRequest, outlet: Outlet): void {
    const { id, method, params } = request;
    const refusal = this.#refusal(id);
    const declaration = refusal ?? this.#settle(method, params);
    if (declaration instanceof RpcError) this.refuse({ id, error: declaration }, outlet);
    else this.#run(new RequestContext(this, request, outlet, declaration));
  }

  #refusal(id: RequestId): RpcError | undefined {
    if (this.#running.has(id)) {
      return invalidRequest(`the id ${JSON.stringify(id)} belongs to a request that is not answered yet.`);
    }
    return this.server.isDraining ? new RpcError(RPC_CODES.refused, 'The server is shutting down.') : undefined;
  }

  /** Decides the generation of the connection. @returns the client's declaration, or the error that refuses the request */
  #settle(method: string, params: Params): ClientDeclaration | RpcError {
    if (this.#isDeclared || this.generation === 'session') return this.declaration;
    const declaration = readDeclaration(params);
    const belongsToSession =
      method === 'initialize'
        ? beginsSession(params, declaration)
        : this.generation === undefined && !hasDeclaration(params);
    if (belongsToSession) return this.#settleSession(method, params);
    if (declaration instanceof RpcError) return declaration;
    this.#isProbing = method === 'server/discover' && (this.#isProbing || this.generation === undefined);
    this.generation = 'stateless';
    return declaration;
  }

  #settleSession(method: string, params: Params): ClientDeclaration | RpcError {
    if (this.generation === 'stateless' && !this.#isProbing) {
      return unsupportedVersion(method === 'initialize' ? params.protocolVersion : undefined, STATELESS_VERSIONS);
    }
    this.generation = 'session';
    this.#isProbing = false;
    return this.declaration;
  }

  #run(context: RequestContext): void {
    const { id, method, params } = context.request;
    this.#running.set(id, context);
    this.server.started(context);
    let result: ReturnType<AnyHandler>;
    let isRefusal = true;
    try {
      const rule = methodRule(method, this.generation!);
      const handler = rule && this.server.handlerOf(method);
      if (!handler) throw new RpcError(RPC_CODES.methodNotFound, `Method not found: ${method}`);
      rule.check?.(params);
      isRefusal = false;
      result = this.#call(handler, context);
    } catch (error) {
      this.#fail(context, error, isRefusal);
      return;
    }
    if (result instanceof Promise) {
      result.then(
        (value) =>
          value === undefined
            ? this.server.listening(context)
            : this.#afterProgress(context, () => this.respond(context, value)),
        (error: unknown) => this.#afterProgress(context, () => this.#fail(context, error, false)),
      );
    } else if (result === undefined) {
      this.server.listening(context);
    } else {
      const value = result;
      this.#afterProgress(context, () => this.respond(context, value));
    }
  }

  /** Gives the client time to read the last progress before the response (docs/spec/protocol.md#last-progress). */
  #afterProgress(context: RequestContext, respond: () => void): void {
    const { progressAt } = context;
    const waitMs = progressAt === undefined ? 0 : progressAt + READ_PROGRESS_MS - performance.now();
    if (waitMs > 0 && this.transport === 'stdio') {
      context.settle();
      setTimeout(respond, waitMs);
    } else {
      respond();
    }
  }

  #call(handler: AnyHandler, context: RequestContext): ReturnType<AnyHandler> {
    const { tasks } = this.server;
    const { method, params } = context.request;
    const canBeTask = tasks !== undefined && method === 'tools/call' && context.knowsTasks;
    return canBeTask ? startTaskCall(tasks, this.server, handler as ToolHandler, context) : handler(params, context);
  }

  #fail(context: RequestContext, error: unknown, isRefusal: boolean): void {
    const { id, method } = context.request;
    if (!(error instanceof RpcError)) this.server.report(error, method);
    if (!context.isEnded) {
      const object = this.server.errorObject(error, this.generation);
      context.end(object);
      context.outlet.respond(errorMessage(id, object), { code: object.code, isRefusal }, context.httpResponse);
    }
    this.finish(context);
  }
}
