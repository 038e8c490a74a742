import { RPC_CODES } from '../json-rpc/codes.js';
import type { Params } from '../json-rpc/messages.js';
import { invalidParams, RpcError } from '../json-rpc/rpc-error.js';
import { isObject } from '../json-rpc/values.js';
import { META_KEYS } from '../protocol/meta-keys.js';
import type { RequestContext } from './request-context.js';

export type ListName = 'tools' | 'resources' | 'prompts';

/** What changed: a list, or a resource. */
export type Change =
  | { readonly kind: 'list'; readonly list: ListName }
  | { readonly kind: 'resource'; readonly uri: string };

/** What a client of 2026-07-28 wants to hear of. */
interface ListenFilter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

const FILTER_OF = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<ListName, keyof ListenFilter>;

/** The notification of a change. */
export function changeNotification(change: Change): { method: string; params: Params } {
  return change.kind === 'list'
    ? { method: `notifications/${change.list}/list_changed`, params: {} }
    : { method: 'notifications/resources/updated', params: { uri: change.uri } };
}

/** An open `subscriptions/listen` request. */
interface Listen {
  readonly context: RequestContext;
  readonly filter: ListenFilter;
  readonly uris: ReadonlySet<string>;
}

/** The open `subscriptions/listen` requests of all clients (2026-07-28). They are bounded for each principal. */
export class ListenTable {
  readonly #listens = new Map<RequestContext, Listen>();
  readonly #counts = new Map<string | undefined, number>();
  readonly #capabilities: Readonly<Record<string, unknown>>;
  readonly #maxPerPrincipal: number;

  /**
   * @param capabilities of the server: a change that it does not announce is not promised
   * @param maxPerPrincipal open requests
   */
  constructor(capabilities: Readonly<Record<string, unknown>>, maxPerPrincipal: number) {
    this.#capabilities = capabilities;
    this.#maxPerPrincipal = maxPerPrincipal;
  }

  has(context: RequestContext): boolean {
    return this.#listens.has(context);
  }

  /**
   * Acknowledges the request, which stays open if there is anything to hear of.
   * @returns the URIs that it listens to, or undefined when the request is answered: there is nothing to wait for
   * @throws RpcError −32602 for a malformed filter; −32603 beyond the limit
   */
  open(context: RequestContext): string[] | undefined {
    const filter = this.#honoured(readFilter(context.request.params.notifications));
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
    const uris = filter.resourceSubscriptions ?? [];
    this.#counts.set(principal, count + 1);
    this.#listens.set(context, { context, filter, uris: new Set(uris) });
    return uris;
  }

  /** @returns whether the request was open */
  remove(context: RequestContext): boolean {
    if (!this.#listens.delete(context)) return false;
    const { principal } = context;
    const count = this.#counts.get(principal)! - 1;
    if (count === 0) this.#counts.delete(principal);
    else this.#counts.set(principal, count);
    return true;
  }

  /** Tells those who want to hear of it. */
  announce(change: Change): void {
    const { method, params } = changeNotification(change);
    for (const { context, filter, uris } of this.#listens.values()) {
      const isWanted = change.kind === 'list' ? filter[FILTER_OF[change.list]] : uris.has(change.uri);
      if (isWanted) this.#notify(context, method, params);
    }
  }

  /** The result that ends a request. */
  result(context: RequestContext): Params {
    return { resultType: 'complete', _meta: { [META_KEYS.subscriptionId]: context.id } };
  }

  /** Answers all open requests: nothing more will be said. */
  endAll(): void {
    for (const context of [...this.#listens.keys()]) context.connection.respond(context, this.result(context));
  }

  #notify(context: RequestContext, method: string, params: Params): void {
    context.notify(method, { ...params, _meta: { [META_KEYS.subscriptionId]: context.id } });
  }

  /** What the client asks for and the server announces. */
  #honoured(requested: ListenFilter): ListenFilter {
    const honoured: ListenFilter = {};
    for (const [list, member] of Object.entries(FILTER_OF)) {
      if (requested[member] === true && this.#announces(list, 'listChanged')) honoured[member] = true;
    }
    const uris = requested.resourceSubscriptions ?? [];
    if (uris.length > 0 && this.#announces('resources', 'subscribe')) honoured.resourceSubscriptions = uris;
    return honoured;
  }

  #announces(name: string, what: 'listChanged' | 'subscribe'): boolean {
    const capability = this.#capabilities[name];
    return isObject(capability) && capability[what] === true;
  }
}

function readFilter(notifications: unknown): ListenFilter {
  const filter = notifications as Params;
  for (const member of Object.values(FILTER_OF)) {
    if (filter[member] !== undefined && typeof filter[member] !== 'boolean') throw invalidFilter(member, 'a boolean');
  }
  const uris = filter.resourceSubscriptions;
  if (uris !== undefined && !(Array.isArray(uris) && uris.every((uri) => typeof uri === 'string'))) {
    throw invalidFilter('resourceSubscriptions', 'a list of strings');
  }
  return filter;
}

function invalidFilter(member: string, type: string): RpcError {
  return invalidParams(`params.notifications.${member} must be ${type}.`);
}
