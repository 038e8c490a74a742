import type { CancelSignal } from '@mortise/mcp/util';
import type { Caller } from '../../core/server-api.js';
import { resourceLabel } from '../../plugins/pins/plugin-pins.js';
import type { CallServices } from '../call-services.js';
import { type FoundResource, findResource } from '../find-resource.js';
import { unavailableOwner } from '../not-found.js';

/** The subscriptions of all clients: plugins hear of the first subscriber of a resource and when the last one has left. */
export class ResourceSubscriptions {
  readonly #open = new Map<string, Set<CancelSignal>>();

  constructor(private readonly services: CallServices) {}

  /**
   * A client subscribes to a resource, until `ended` fires.
   * @returns false for a URI that no plugin serves, nor one that is not loaded
   */
  async add(uri: string, caller: Caller, ended: CancelSignal): Promise<boolean> {
    const { services } = this;
    const snapshot = () => services.snapshot(caller.principal);
    const found = findResource(snapshot(), uri, services.settings.Plugins.Limits);
    if (found) {
      this.#watch(uri, found, ended);
      return true;
    }
    const isThere = () => snapshot().resources.some(({ definition }) => definition.uri === uri);
    const unavailable = await unavailableOwner({ services, label: resourceLabel(uri), caller }, isThere);
    if (unavailable === 'there') return this.add(uri, caller, ended);
    return unavailable !== undefined;
  }

  #watch(uri: string, { resource, key, variables }: FoundResource, ended: CancelSignal): void {
    if (ended.aborted) return;
    const open = this.#open.get(uri) ?? new Set();
    this.#open.set(uri, open.add(ended));
    resource.runner.watchResource?.({ key, uri, variables });
    ended.addEventListener('abort', () => this.#ended(uri, ended));
  }

  #ended(uri: string, ended: CancelSignal): void {
    const open = this.#open.get(uri);
    if (!open?.delete(ended) || open.size > 0) return;
    this.#open.delete(uri);
    const { settings, snapshot } = this.services;
    // The plugin may have been loaded again since.
    const found = findResource(snapshot(undefined), uri, settings.Plugins.Limits);
    if (!this.#open.has(uri)) found?.resource.runner.unwatchResource?.(uri);
  }
}
