import { RPC_CODES } from '../json-rpc/codes.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import { META_KEYS } from '../protocol/meta-keys.js';
import type {
  NotificationMethod,
  Notifications,
  Results,
  ServerCapabilities,
  SubscriptionFilter,
  Task,
} from '../protocol/types.js';
import type { TaskReader } from '../tasks/task-table.js';
import { CancelSource } from '../util/cancel-source.js';
import type { RequestContext } from './request-context.js';

export type ListName = 'tools' | 'resources' | 'prompts';

/** A list or a resource that has changed. */
export type Change =
  | { readonly kind: 'list'; readonly list: ListName }
  | { readonly kind: 'resource'; readonly uri: string };

const FILTER_OF = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<ListName, keyof SubscriptionFilter>;

/** Sends the notification of a change. */
export function notifyChange(change: Change, notify: Notify): void {
  if (change.kind === 'list') notify(`notifications/${change.list}/list_changed`, {});
  else notify('notifications/resources/updated', { uri: change.uri });
}

type Notify = <M extends NotificationMethod>(method: M, params: Notifications[M]) => void;

/** An open `subscriptions/listen` request. */
interface Listen {
  readonly context: RequestContext;
  readonly filter: SubscriptionFilter;
  readonly uris: ReadonlySet<string>;
  readonly taskIds: ReadonlySet<string>;
  /** Fires when the request ends. */
  readonly ended: CancelSource;
}

/** The open `subscriptions/listen` requests of all clients (2026-07-28). Each principal can have a limited number. */
export class ListenTable {
  readonly #listens = new Map<RequestContext, Listen>();
  readonly #counts = new Map<string | undefined, number>();
  readonly #capabilities: ServerCapabilities;
  readonly #maxPerPrincipal: number;

  /**
   * @param capabilities the server's capabilities. A subscription to changes that they do not announce is left out.
   * @param maxPerPrincipal the number of open requests that one principal can have
   */
  constructor(capabilities: ServerCapabilities, maxPerPrincipal: number) {
    this.#capabilities = capabilities;
    this.#maxPerPrincipal = maxPerPrincipal;
  }

  has(context: RequestContext): boolean {
    return this.#listens.has(context);
  }

  /**
   * Acknowledges the request, and keeps it open if it subscribes to anything.
   * @param tasks the requested tasks that have not ended; each is sent immediately
   * @returns undefined if there is nothing to wait for, so that the request has to be answered
   * @throws RpcError −32603 beyond the limit
   */
  open(context: RequestContext, wanted: SubscriptionFilter, tasks: readonly Task[]): Listen | undefined {
    const taskIds = tasks.map(({ taskId }) => taskId);
    const filter = { ...this.#honoured(wanted), ...(taskIds.length > 0 && { taskIds }) };
    const { principal } = context;
    const count = this.#counts.get(principal) ?? 0;
    if (count >= this.#maxPerPrincipal) {
      throw new RpcError(
        RPC_CODES.internalError,
        `Subscription limit reached: ${this.#maxPerPrincipal} subscriptions/listen requests can be open at once.`,
      );
    }
    this.#notify(context, 'notifications/subscriptions/acknowledged', { notifications: filter });
    if (Object.keys(filter).length === 0) return undefined;
    const uris = new Set(filter.resourceSubscriptions);
    const listen = { context, filter, uris, taskIds: new Set(taskIds), ended: new CancelSource() };
    this.#counts.set(principal, count + 1);
    this.#listens.set(context, listen);
    for (const task of tasks) this.#notify(context, 'notifications/tasks', task);
    return listen;
  }

  /** @returns whether the request was open */
  remove(context: RequestContext): boolean {
    const listen = this.#listens.get(context);
    if (listen === undefined) return false;
    this.#listens.delete(context);
    listen.ended.abort();
    const { principal } = context;
    const count = this.#counts.get(principal)! - 1;
    if (count === 0) this.#counts.delete(principal);
    else this.#counts.set(principal, count);
    return true;
  }

  /** The URIs that any request subscribes to. */
  get uris(): string[] {
    return [...this.#listens.values()].flatMap(({ uris }) => [...uris]);
  }

  contexts(): Iterable<RequestContext> {
    return this.#listens.keys();
  }

  /** Announces a change to the requests that subscribe to it. @param isFor decides which clients may be notified */
  announce(change: Change, isFor: (authorization: unknown) => boolean): void {
    for (const { context, filter, uris } of this.#listens.values()) {
      const isWanted = change.kind === 'list' ? filter[FILTER_OF[change.list]] : uris.has(change.uri);
      if (isWanted && isFor(context.authorization))
        notifyChange(change, (method, params) => this.#notify(context, method, params));
    }
  }

  /** Sends a task to the requests that subscribe to it. @param isFor decides which clients may see it */
  announceTask(task: Task, isFor: (reader: TaskReader) => boolean): void {
    for (const { context, taskIds } of this.#listens.values()) {
      if (taskIds.has(task.taskId) && isFor(context)) this.#notify(context, 'notifications/tasks', task);
    }
  }

  /** The result that ends a `subscriptions/listen` request. */
  result(context: RequestContext): Results['subscriptions/listen'] {
    return { resultType: 'complete', _meta: { [META_KEYS.subscriptionId]: context.id } };
  }

  /** Ends open requests by answering them. @param isMeant selects the requests; default: all */
  endAll(isMeant: (context: RequestContext) => boolean = () => true): void {
    for (const context of [...this.#listens.keys()]) {
      if (isMeant(context)) context.connection.respond(context, this.result(context));
    }
  }

  #notify<M extends NotificationMethod>(context: RequestContext, method: M, params: Notifications[M]): void {
    context.notify(method, { ...params, _meta: { [META_KEYS.subscriptionId]: context.id } });
  }

  /** The part of the filter that the server can honour. */
  #honoured(requested: SubscriptionFilter): SubscriptionFilter {
    const names: readonly ListName[] = ['tools', 'prompts', 'resources'];
    const lists = names.filter((list) => requested[FILTER_OF[list]] && this.#capabilities[list]?.listChanged);
    const uris = requested.resourceSubscriptions ?? [];
    const hasUris = uris.length > 0 && this.#capabilities.resources?.subscribe;
    return {
      ...Object.fromEntries(lists.map((list) => [FILTER_OF[list], true])),
      ...(hasUris && { resourceSubscriptions: uris }),
    };
  }
}
