import type { ServerApi } from '../core/server-api.js';
import { isObject } from './values.js';

/** The request of 2026-07-28 that stays open and receives changes. */
export const LISTEN = 'subscriptions/listen';

/** The maximum number of URIs of one request for which plugins are asked to report changes. */
const MAX_URIS = 1_000;

/** Watches the resources of a `subscriptions/listen` request; the SDK delivers the changes to the right client. */
export function watchListened(host: Pick<ServerApi, 'watchResource'>, params: unknown): void {
  const { notifications } = isObject(params) ? params : {};
  const { resourceSubscriptions } = isObject(notifications) ? notifications : {};
  if (!Array.isArray(resourceSubscriptions)) return;
  for (const uri of resourceSubscriptions.slice(0, MAX_URIS)) if (typeof uri === 'string') host.watchResource(uri);
}
