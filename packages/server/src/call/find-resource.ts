import { isOwnScheme, matchSteps, matchTemplate } from '@mortise/plugin/runtime';
import type { Resource, Snapshot } from '../core/snapshot.js';
import type { PluginLimits } from '../settings/plugin-limits.js';

export interface FoundResource {
  readonly resource: Resource;
  /** The resource's `uri` or `uriTemplate`. */
  readonly key: string;
  readonly variables: Record<string, string>;
}

/**
 * The limit of the work to match one URI with all templates of one plugin. The number of steps of a template is the
 * number of its parts times the characters of the URI.
 */
export const MAX_MATCH_STEPS = 250_000;

/**
 * Returns the resource with this URI, or else the first template that matches it. After MAX_MATCH_STEPS of one plugin,
 * the other templates of that plugin are skipped.
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
  const stepsByRunner = new Map<object, number>();
  for (const resource of templates) {
    const key = resource.definition.uriTemplate!;
    const { runner } = resource;
    const steps = (stepsByRunner.get(runner) ?? 0) + matchSteps(key, uri);
    stepsByRunner.set(runner, steps);
    if (steps > MAX_MATCH_STEPS) continue;
    const variables = matchTemplate(key, uri);
    if (variables) return { resource, key, variables };
  }
  return undefined;
}

/**
 * Returns the resource with this URI if the plugin with this path provides it: no other plugin may report its changes.
 */
export function providedResource(
  { resources, templates }: Snapshot,
  { uri, path }: { readonly uri: string; readonly path: string },
  limits: PluginLimits,
): Resource | undefined {
  const pluginTemplates = templates.filter((resource) => resource.path === path);
  const found = findResource({ resources, templates: pluginTemplates }, uri, limits);
  return found?.resource.path === path ? found.resource : undefined;
}
