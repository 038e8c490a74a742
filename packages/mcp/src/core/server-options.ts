import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { BuiltInMethod, Method, ParamsOf } from '../protocol/methods.js';
import type { Implementation, InputRequiredResult, Results, ServerCapabilities } from '../protocol/types.js';
import type { TaskOptions } from '../tasks/task-table.js';
import type { CancelSignal } from '../util/cancel-source.js';
import type { RequestContext } from './request-context.js';
import type { CacheHint, PreparedResult } from './result-writer.js';

/** The methods that may ask the client for input before they return a result (2026-07-28). */
type InputMethod = 'tools/call' | 'prompts/get' | 'resources/read';

/** A handler's result, its prepared JSON, or with 2026-07-28 the questions that the client has to answer first. */
export type HandlerResult<M extends Method> =
  | Results[M]
  | PreparedResult<Results[M]>
  | (M extends InputMethod ? InputRequiredResult : never);

/**
 * Answers one method. The parameters that the method's rule (`METHODS`) lists have been checked; the others have not.
 * @throws RpcError to answer with that error
 */
export type Handler<M extends Method> = (
  params: ParamsOf<M>,
  context: RequestContext,
) => HandlerResult<M> | Promise<HandlerResult<M>>;

/** The handlers of a server, by method: `{ 'tools/call': ({ name, arguments: args }, context) => … }`. */
export type Handlers = { readonly [M in Exclude<Method, BuiltInMethod>]?: Handler<M> };

export interface ServerLimits {
  /** The maximum number of URIs that one session can subscribe to. Default 1,000. */
  readonly subscriptionsPerSession: number;
  /** The maximum number of open `subscriptions/listen` requests of one principal. Default 256. */
  readonly listensPerPrincipal: number;
}

export const DEFAULT_LIMITS: ServerLimits = { subscriptionsPerSession: 1_000, listensPerPrincipal: 256 };

export interface McpServerOptions {
  readonly info: Implementation;
  /** Text for the model about the server. A function is called for each `initialize` and `server/discover`. */
  readonly instructions?: string | ((context: RequestContext) => string);
  /**
   * The capabilities that are sent to clients. A method without a handler is answered as unknown even if a capability
   * announces it.
   */
  readonly capabilities: ServerCapabilities;
  readonly handlers: Handlers;
  /** Cache hints by method. Default for methods whose results can be cached: `{ttlMs: 0, cacheScope: 'private'}`. */
  readonly cacheHints?: Partial<Record<Method, CacheHint>>;
  readonly limits?: Partial<ServerLimits>;
  /** Turns long tool calls into tasks, for clients that declare the extension (2026-07-28). Default: no tasks. */
  readonly tasks?: TaskOptions;
  /**
   * Called when a client subscribes to a resource. The subscription ends when `ended` fires.
   * @returns whether the resource exists; must not reject
   */
  watchResource?(uri: string, context: RequestContext, ended: CancelSignal): Promise<boolean>;
  /** Called when a client that supports `roots` connects, and when its roots change. Ask for them with `askRoots`. */
  rootsChanged?(): void;
  /** Called for every error before it is sent, because errors quote what the client sent. */
  redactError?(error: RpcErrorObject): RpcErrorObject;
  /** Called if a handler throws anything other than an RpcError, or a client sends a message that cannot be answered. */
  onError?(error: unknown, method?: string): void;
  /** Called when a request begins. The returned function is called when it ends. `traceparent` is in `context.meta`. */
  trace?(context: RequestContext): ((error?: RpcErrorObject) => void) | undefined;
}
