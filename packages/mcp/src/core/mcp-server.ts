import { RPC_CODES } from '../json-rpc/codes.js';
import type { Params } from '../json-rpc/messages.js';
import { RpcError, type RpcErrorObject } from '../json-rpc/rpc-error.js';
import { isWanted, type LoggingLevel } from '../protocol/logging-levels.js';
import { type Method, methodRule } from '../protocol/methods.js';
import type { LogMessage, NotificationMethod, Notifications, Result } from '../protocol/types.js';
import type { Generation } from '../protocol/versions.js';
import { TaskTable } from '../tasks/task-table.js';
import { LinkedList } from '../util/linked-list.js';
import { BUILT_IN } from './built-in-methods.js';
import { type Change, ListenTable, notifyChange } from './listen-table.js';
import type { RequestContext } from './request-context.js';
import { type CacheHint, type PreparedResult, ResultWriter } from './result-writer.js';
import { DEFAULT_LIMITS, type McpServerOptions, type ServerLimits } from './server-options.js';
import { TASK_METHODS } from './task-methods.js';

const NO_CACHE: CacheHint = { ttlMs: 0, cacheScope: 'private' };
const INTERNAL_ERROR = new RpcError(RPC_CODES.internalError, 'Internal error: the log of the server has the details.');

type AnyResult = Result | PreparedResult;

/** Answers a method whose rule has checked the parameters. `undefined` leaves the request open. */
export type AnyHandler = (
  params: object,
  context: RequestContext,
) => AnyResult | Promise<AnyResult | undefined> | undefined;

type AnyBuiltIn = (params: object, context: RequestContext, server: McpServer) => ReturnType<AnyHandler>;

/** Returns true if clients with this authorization may be notified of a change, or get a log line. */
export type Audience = (authorization: unknown) => boolean;

const EVERYONE: Audience = () => true;

/** The part of a session that announcements need. */
export interface OpenSession {
  readonly authorization: unknown;
  /** The URIs that the session has subscribed to. */
  readonly subscriptions: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;
  readonly logLevel: LoggingLevel | undefined;
  askRoots(): Promise<Params> | undefined;
  notify<M extends NotificationMethod>(method: M, params: Notifications[M]): void;
}

/** The state that all connections share: handlers, sessions, running requests. Transports attach connections to it. */
export class McpServer {
  readonly options: McpServerOptions;
  readonly limits: ServerLimits;
  /** The open `subscriptions/listen` requests. */
  readonly listens: ListenTable;
  /** Undefined if calls do not become tasks. */
  readonly tasks: TaskTable | undefined;
  readonly #handlers: Readonly<Record<string, AnyHandler>>;
  readonly #writer: ResultWriter;
  readonly #sessions = new Set<OpenSession>();
  /** The requests without a response, except those that listen. */
  readonly #running = new LinkedList<RequestContext>();
  readonly #idleListeners = new Set<() => void>();
  isDraining = false;

  constructor(options: McpServerOptions) {
    this.options = options;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.listens = new ListenTable(options.capabilities, this.limits.listensPerPrincipal);
    this.tasks =
      options.tasks &&
      new TaskTable(options.tasks, {
        onChange: (task, isVisible) => this.listens.announceTask(task, isVisible),
        onError: (error) => this.report(error),
      });
    this.#writer = new ResultWriter(options.info);
    // These casts are safe, because a handler runs only after its method's rule has checked the parameters.
    const methods = { ...BUILT_IN, ...(this.tasks && TASK_METHODS) };
    const builtIn = Object.entries(methods as Record<string, AnyBuiltIn>).map(
      ([method, handler]): [string, AnyHandler] => [method, (params, context) => handler(params, context, this)],
    );
    this.#handlers = { ...(options.handlers as Record<string, AnyHandler>), ...Object.fromEntries(builtIn) };
  }

  /**
   * Announces a change to the sessions and the `subscriptions/listen` requests that subscribe to it.
   * @param isFor decides which clients may be notified
   */
  announce(change: Change, isFor: Audience = EVERYONE): void {
    for (const session of this.#sessions) {
      const isSubscribed = change.kind === 'list' || session.subscriptions.has(change.uri);
      if (isSubscribed && isFor(session.authorization))
        notifyChange(change, (method, params) => session.notify(method, params));
    }
    this.listens.announce(change, isFor);
  }

  /** The URIs that any client has subscribed to. */
  get subscribedUris(): ReadonlySet<string> {
    const ofSessions = [...this.#sessions].flatMap(({ subscriptions }) => [...subscriptions.keys()]);
    return new Set([...ofSessions, ...this.listens.uris]);
  }

  /** Sends a log line that belongs to no request to the sessions whose level it reaches. @param isFor as for {@link announce} */
  log(message: LogMessage, isFor: Audience = EVERYONE): void {
    for (const session of this.#sessions) {
      if (isWanted(message.level, session.logLevel) && isFor(session.authorization)) {
        session.notify('notifications/message', message);
      }
    }
  }

  /** Asks a client over stdio for its roots (until 2025-11-25). @returns undefined if no client can be asked */
  askRoots(): Promise<Params> | undefined {
    for (const session of this.#sessions) {
      const answer = session.askRoots();
      if (answer) return answer;
    }
    return undefined;
  }

  /** Refuses further requests, and resolves when the running ones are answered, or after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    this.isDraining = true;
    await this.idle(timeoutMs);
  }

  /** Cancels all calls and tasks, whose handlers still answer, and answers all `subscriptions/listen` requests. */
  cancelAll(): void {
    this.tasks?.stop();
    this.listens.endAll();
    for (const context of this.#running.values()) context.cancel();
  }

  /** Ends all running requests without a response. */
  abandonAll(): void {
    for (const context of this.#running.values()) context.outlet.abandon();
  }

  /**
   * Ends requests, `subscriptions/listen` requests and tasks without a response.
   * @param isMeant decides by the request's authorization
   */
  abandon(isMeant: (context: Pick<RequestContext, 'authorization'>) => boolean): void {
    this.tasks?.cancelAll('The permissions of the client were revoked.', isMeant);
    for (const context of [...this.#running.values(), ...this.listens.contexts()]) {
      if (isMeant(context)) context.connection.abandon(context);
    }
  }

  /** Ends the `subscriptions/listen` requests that `isMeant` selects, by answering them. */
  endListens(isMeant: (context: Pick<RequestContext, 'authorization'>) => boolean): void {
    this.listens.endAll(isMeant);
  }

  /** Resolves when no request runs, or after `timeoutMs`. Open `subscriptions/listen` requests do not count. */
  async idle(timeoutMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#idleListeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#idleListeners.add(done);
    });
  }

  /** Adds a session that has begun, so that it is notified of changes. */
  add(session: OpenSession): void {
    this.#sessions.add(session);
  }

  /** The number of open sessions, including clients over stdio. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** The number of tasks that this process runs. */
  get taskCount(): number {
    return this.tasks?.runningCount ?? 0;
  }

  remove(session: OpenSession): void {
    this.#sessions.delete(session);
  }

  handlerOf(method: string): AnyHandler | undefined {
    return this.#handlers[method];
  }

  /** @throws what JSON.stringify throws */
  resultJson(result: Result | PreparedResult, method: string, generation: Generation): string {
    const isCacheable = generation === 'stateless' && methodRule(method, generation)?.isCacheable;
    const hint = isCacheable ? (this.options.cacheHints?.[method as Method] ?? NO_CACHE) : undefined;
    return this.#writer.json(result, generation, hint);
  }

  /** The error as it is sent: redacted, with the code of the generation, and without the text of unexpected errors. */
  errorObject(error: unknown, generation: Generation | undefined): RpcErrorObject {
    const object = (error instanceof RpcError ? error : INTERNAL_ERROR).toObject();
    if (object.code === RPC_CODES.resourceNotFound && generation === 'stateless') object.code = RPC_CODES.invalidParams;
    return this.options.redactError?.(object) ?? object;
  }

  /** Calls `onError` with an error whose text is not sent to the client. */
  report(error: unknown, method?: string): void {
    this.options.onError?.(error, method);
  }

  started(context: RequestContext): void {
    this.#running.add(context);
    context.onEnd = this.options.trace?.(context);
  }

  /** Call this when a request stays open to wait for changes: a shutdown does not wait for its response. */
  listening(context: RequestContext): void {
    this.#ended(context);
  }

  ended(context: RequestContext): void {
    if (!this.listens.remove(context)) this.#ended(context);
  }

  #ended(context: RequestContext): void {
    if (!this.#running.remove(context) || this.#running.size > 0) return;
    for (const listener of [...this.#idleListeners]) listener();
  }
}
