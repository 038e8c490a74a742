import { isOwnScheme, matchSteps, matchTemplate } from '@mortise/plugin/runtime';
import type { Resource, Snapshot } from '../core/snapshot.js';
import type { PluginLimits } from '../settings/plugin-limits.js';

export interface FoundResource {
  readonly resource: Resource;
  /** Its URI or its template. */
  readonly key: string;
  readonly variables: Record<string, string>;
}

/** Work to match one URI with one plugin's templates: the number of template parts times the characters of the URI. */
export const MAX_STEPS = 250_000;

/**
 * The resource with this URI, else the one of the first template that matches. If a plugin's templates take too long,
 * the rest of them are skipped.
 */
export function findResource(
  { resources, templates, hidesUri }: Pick<Snapshot, 'resources' | 'templates' | 'hidesUri'>,
  uri: string,
  limits: PluginLimits,
): FoundResource | undefined {
  if (isOwnScheme(uri) || hidesUri?.(uri)) return undefined;
  const fixed = resources.find(({ definition }) => definition.uri === uri);
  if (fixed) return { resource: fixed, key: uri, variables: {} };
  if (uri.length > limits.UriChars) return undefined;
  const used = new Map<object, number>();
  for (const resource of templates) {
    const key = resource.definition.uriTemplate!;
    const { runner } = resource;
    const sum = (used.get(runner) ?? 0) + matchSteps(key, uri);
    used.set(runner, sum);
    if (sum > MAX_STEPS) continue;
    const variables = matchTemplate(key, uri);
    if (variables) return { resource, key, variables };
  }
  return undefined;
}

/** The resource with this URI, if the plugin of this path provides it: only it can say that the resource has changed. */
export function providedResource(
  { resources, templates }: Snapshot,
  uri: string,
  path: string,
  limits: PluginLimits,
): Resource | undefined {
  // The templates of other plugins need not be matched: that would take of their time.
  const own = templates.filter((resource) => resource.path === path);
  const found = findResource({ resources, templates: own }, uri, limits);
  return found?.resource.path === path ? found.resource : undefined;
}
