import { setTimeout as delay } from 'node:timers/promises';
import { isOwnScheme, matchSteps, matchTemplate } from '@mortise/plugin/runtime';
import type { Resource, Snapshot } from '../core/snapshot.js';
import type { PluginLimits } from '../settings/plugin-limits.js';
import { TimeShare } from '../util/time-share.js';

export interface FoundResource {
  readonly resource: Resource;
  /** Its URI or its template. */
  readonly key: string;
  readonly variables: Record<string, string>;
}

/** Work to match one URI with one plugin's templates: the number of template parts times the characters of the URI. */
export const MAX_STEPS = 250_000;

/** The share of the server's time for matching URIs with the templates of one plugin, for each set of templates. */
const shares = new WeakMap<object, TimeShare>();

/**
 * The resource with this URI, else the one of the first template that matches. If a plugin's templates take too long,
 * the rest of them are skipped, and reads of such URIs wait; reads of other URIs do not.
 */
export async function findResource(
  { resources, templates, hidesUri }: Pick<Snapshot, 'resources' | 'templates' | 'hidesUri'>,
  uri: string,
  limits: PluginLimits,
): Promise<FoundResource | undefined> {
  if (isOwnScheme(uri) || hidesUri?.(uri)) return undefined;
  const fixed = resources.find(({ definition }) => definition.uri === uri);
  if (fixed) return { resource: fixed, key: uri, variables: {} };
  if (uri.length > limits.UriChars) return undefined;
  const used = new Map<object, number>();
  for (const resource of templates) {
    const key = resource.definition.uriTemplate!;
    const { runner } = resource;
    const steps = matchSteps(key, uri);
    const sum = (used.get(runner) ?? 0) + steps;
    if (steps === 0) continue;
    const isFirstBeyond = sum > MAX_STEPS && sum - steps <= MAX_STEPS;
    used.set(runner, sum);
    if (isFirstBeyond) await chargeBeyond(shareOf(runner, limits));
    if (sum > MAX_STEPS) continue;
    const variables = await matchInShare(key, uri, shareOf(runner, limits));
    if (variables) return { resource, key, variables };
  }
  return undefined;
}

/** The resource with this URI, if the plugin of this path provides it: only it can say that the resource has changed. */
export async function providedResource(
  { resources, templates }: Snapshot,
  uri: string,
  path: string,
  limits: PluginLimits,
): Promise<Resource | undefined> {
  // The templates of other plugins need not be matched: that would take of their time.
  const own = templates.filter((resource) => resource.path === path);
  const found = await findResource({ resources, templates: own }, uri, limits);
  return found?.resource.path === path ? found.resource : undefined;
}

/** What a URI that goes beyond the limit is taken to cost, in milliseconds: its answer is long too. */
const BEYOND_MS = 1;

async function chargeBeyond(share: TimeShare): Promise<void> {
  const { waitMs } = share;
  share.charge(BEYOND_MS);
  if (waitMs > 0) await delay(waitMs);
}

async function matchInShare(key: string, uri: string, share: TimeShare): Promise<Record<string, string> | undefined> {
  const { waitMs } = share;
  if (waitMs > 0) await delay(waitMs);
  const startedAt = performance.now();
  const variables = matchTemplate(key, uri);
  share.charge(performance.now() - startedAt);
  return variables;
}

function shareOf(runner: object, { TimeSharePercent }: PluginLimits): TimeShare {
  const share = shares.get(runner) ?? new TimeShare(TimeSharePercent);
  shares.set(runner, share);
  return share;
}
