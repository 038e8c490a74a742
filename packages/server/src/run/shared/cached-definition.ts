import type { PluginDefinition } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import type { RunnerCallbacks } from '../../core/plugin-runner.js';
import { checkDefinition } from '../../plugins/load/check-definition.js';
import type { CachedDefinition, DefinitionCache } from '../../plugins/load/definition-cache.js';
import { rehash } from '../../plugins/load/fingerprint.js';
import { isOfSettings } from '../../settings/setting-owner.js';

/**
 * The cached definition of a plugin, checked like any other, because anyone may have written it. Its schemas were checked when
 * it was cached, and are checked again after the first response. Undefined if the plugin must be loaded anyway: a plugin whose tools differ
 * from the trusted ones is blocked, and otherwise would never be started to report its current definition.
 */
export function readCachedDefinition(
  cached: DefinitionCache,
  plugin: Parameters<DefinitionCache['find']>[0],
  { source, mustReload }: Pick<RunnerCallbacks, 'mustReload' | 'source'>,
): CachedDefinition | undefined {
  const found = cached.find(plugin);
  if (!found) return undefined;
  const definition = checkDefinition(found.definition, { ...source, areSchemasValidated: true });
  return mustReload?.(definition) ? undefined : { ...found, definition };
}

/**
 * Caches the definition of a plugin if it loaded without errors and its files did not change while it was being loaded.
 * One with problems of its settings is not cached: they name lines of the settings file.
 * @param before the fingerprint of its files before loading
 */
export function cacheDefinition(
  cached: DefinitionCache,
  candidate: Candidate & { readonly entry: string },
  before: Fingerprint,
  definition: PluginDefinition,
): void {
  const isComplete = definition.problems.every((problem) => problem.severity !== 'error' && !isOfSettings(problem));
  if (isComplete && rehash(candidate, before.files) === before.stateHash) cached.set(candidate, before, definition);
  else cached.delete(candidate);
}
