import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { BuiltInMethod, Method, ParamsOf } from '../protocol/methods.js';
import type { Implementation, InputRequiredResult, Results, ServerCapabilities } from '../protocol/types.js';
import type { TaskOptions } from '../tasks/task-table.js';
import type { CancelSignal } from '../util/cancel-source.js';
import type { RequestContext } from './request-context.js';
import type { CacheHint, PreparedResult } from './result-writer.js';

/** The methods that may ask for input first (2026-07-28). */
type InputMethod = 'tools/call' | 'prompts/get' | 'resources/read';

/** What a handler returns: the result, its JSON, or with 2026-07-28 what has to be asked first. */
export type HandlerResult<M extends Method> =
  | Results[M]
  | PreparedResult<Results[M]>
  | (M extends InputMethod ? InputRequiredResult : never);

/**
 * Answers one method. Its parameters were checked by the method's rule; members that the rule does not name are unchecked.
 * @throws RpcError to answer with that error
 */
export type Handler<M extends Method> = (
  params: ParamsOf<M>,
  context: RequestContext,
) => HandlerResult<M> | Promise<HandlerResult<M>>;

/** The handlers of a server, by method: `{ 'tools/call': ({ name, arguments: args }, context) => … }`. */
export type Handlers = { readonly [M in Exclude<Method, BuiltInMethod>]?: Handler<M> };

export interface ServerLimits {
  /** URIs that one session may subscribe to. Default 1,000. */
  readonly subscriptionsPerSession: number;
  /** Open `subscriptions/listen` requests of one principal. Default 256. */
  readonly listensPerPrincipal: number;
}

export const DEFAULT_LIMITS: ServerLimits = { subscriptionsPerSession: 1_000, listensPerPrincipal: 256 };

export interface McpServerOptions {
  readonly info: Implementation;
  /** What a model may want to know of the server; a function is called for each `initialize` and `server/discover`. */
  readonly instructions?: string | ((context: RequestContext) => string);
  /** What the server can do. A method without a handler is unknown, whatever this says. */
  readonly capabilities: ServerCapabilities;
  readonly handlers: Handlers;
  /** By method. A method of a list without one has `{ttlMs: 0, cacheScope: 'private'}`. */
  readonly cacheHints?: Partial<Record<Method, CacheHint>>;
  readonly limits?: Partial<ServerLimits>;
  /** With it, calls of tools that take long become tasks for clients that know the extension (2026-07-28). */
  readonly tasks?: TaskOptions;
  /**
   * A client wants to hear of changes of a resource, until `ended` fires.
   * @returns whether there is such a resource; never rejects
   */
  watchResource?(uri: string, context: RequestContext, ended: CancelSignal): Promise<boolean>;
  /** The roots of a client that `askRoots` asks have changed, or it can be asked from here on. */
  rootsChanged?(): void;
  /** Every error passes it before it is sent: errors quote what the client sent. */
  redactError?(error: RpcErrorObject): RpcErrorObject;
  /** A handler has thrown something other than an RpcError, or a client has sent something that cannot be answered. */
  onError?(error: unknown, method?: string): void;
  /** Called when a request begins; what it returns is called when the request is answered. `traceparent` is in `context.meta`. */
  trace?(context: RequestContext): ((error?: RpcErrorObject) => void) | undefined;
}
