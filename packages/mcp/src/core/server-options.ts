import type { Params } from '../json-rpc/messages.js';
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { Method } from '../protocol/methods.js';
import type { RequestContext } from './request-context.js';
import type { CacheHint, PreparedResult, Result } from './result-writer.js';

/**
 * Answers one method. Its parameters have the types that the method's rule names; members beside them are unchecked.
 * @throws RpcError to answer with that error
 */
export type Handler = (
  params: Params,
  context: RequestContext,
) => Result | PreparedResult | Promise<Result | PreparedResult>;

/** The methods that this package answers itself. */
export type BuiltInMethod =
  | 'initialize'
  | 'ping'
  | 'server/discover'
  | 'resources/subscribe'
  | 'resources/unsubscribe'
  | 'logging/setLevel'
  | 'subscriptions/listen';

export type Handlers = Partial<Record<Exclude<Method, BuiltInMethod>, Handler>>;

/** The server's name, as clients show it. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly [member: string]: unknown;
}

export interface ServerLimits {
  /** URIs that one session may subscribe to. Default 1,000. */
  readonly subscriptionsPerSession: number;
  /** Open `subscriptions/listen` requests of one principal. Default 256. */
  readonly listensPerPrincipal: number;
}

export const DEFAULT_LIMITS: ServerLimits = { subscriptionsPerSession: 1_000, listensPerPrincipal: 256 };

export interface McpServerOptions {
  readonly info: Implementation;
  /** What a model may want to know of the server. */
  readonly instructions?: string;
  /** What the server can do, as MCP writes it. A method without a handler is unknown, whatever this says. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly handlers: Handlers;
  /** By method. A method of a list without one has `{ttlMs: 0, cacheScope: 'private'}`. */
  readonly cacheHints?: Partial<Record<Method, CacheHint>>;
  readonly limits?: Partial<ServerLimits>;
  /** A client wants to hear of changes of a resource. */
  watchResource?(uri: string): void;
  /** Every error passes it before it is sent: errors quote what the client sent. */
  redactError?(error: RpcErrorObject): RpcErrorObject;
  /** A handler has thrown something other than an RpcError, or a client has sent something that cannot be answered. */
  onError?(error: unknown, method?: string): void;
  /** Called when a request begins; what it returns is called when the request is answered. `traceparent` is in `context.meta`. */
  trace?(context: RequestContext): ((error?: RpcErrorObject) => void) | undefined;
}
