import type { ServerApi } from '../core/server-api.js';
import { isObject } from './values.js';

/** The request of 2026-07-28 that stays open and is told of changes. */
export const LISTEN = 'subscriptions/listen';

/** Beyond these URIs of one request, what they belong to is not asked to tell of changes. */
const MAX_URIS = 1_000;

/** The resources that a `subscriptions/listen` wants to hear of are watched; the SDK tells who wants what. */
export function watchListened(host: Pick<ServerApi, 'watchResource'>, params: unknown): void {
  const { notifications } = isObject(params) ? params : {};
  const { resourceSubscriptions } = isObject(notifications) ? notifications : {};
  if (!Array.isArray(resourceSubscriptions)) return;
  for (const uri of resourceSubscriptions.slice(0, MAX_URIS)) if (typeof uri === 'string') host.watchResource(uri);
}
