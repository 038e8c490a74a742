import type { CancelSignal } from '@mortise/mcp/util';
import type { Caller } from '../../core/server-api.js';
import { resourceLabel } from '../../plugins/pins/plugin-pins.js';
import type { CallServices } from '../call-services.js';
import { type FoundResource, findResource } from '../find-resource.js';
import { retryUnloadedOwner } from '../unloaded-owner.js';

/**
 * The subscriptions of all clients. Tells a plugin when a resource gets its first subscriber and loses its last one.
 */
export class ResourceSubscriptions {
  /** The signals of the open subscriptions, by URI. */
  readonly #open = new Map<string, Set<CancelSignal>>();

  constructor(private readonly services: CallServices) {}

  /**
   * Subscribes a client to a resource until `ended` fires.
   * @returns false if no plugin, loaded or not, serves the URI
   */
  async add(uri: string, caller: Caller, ended: CancelSignal): Promise<boolean> {
    const { services } = this;
    const view = () => services.viewOf(caller.principal);
    const found = findResource(view(), uri, services.settings.Plugins.Limits);
    if (found) {
      this.#watch(uri, found, ended);
      return true;
    }
    const find = () => view().resources.some(({ definition }) => definition.uri === uri);
    const retry = await retryUnloadedOwner({ services, pinLabel: resourceLabel(uri), caller }, find);
    if (retry === 'found') return this.add(uri, caller, ended);
    return retry !== undefined;
  }

  #watch(uri: string, { resource, key, variables }: FoundResource, ended: CancelSignal): void {
    if (ended.aborted) return;
    const open = this.#open.get(uri) ?? new Set();
    this.#open.set(uri, open.add(ended));
    resource.runner.watchResource?.({ key, uri, variables });
    ended.addEventListener('abort', () => this.#remove(uri, ended));
  }

  #remove(uri: string, ended: CancelSignal): void {
    const open = this.#open.get(uri);
    if (!open?.delete(ended) || open.size > 0) return;
    this.#open.delete(uri);
    const { settings, viewOf } = this.services;
    // Look the resource up again, because its plugin may have been reloaded since.
    const found = findResource(viewOf(undefined), uri, settings.Plugins.Limits);
    if (!this.#open.has(uri)) found?.resource.runner.unwatchResource?.(uri);
  }
}
