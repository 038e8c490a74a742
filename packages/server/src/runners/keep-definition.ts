import type { PluginDefinition } from '@mortise/plugin/host';
import type { Candidate } from '../plugins/find.js';
import { type Fingerprint, fingerprint } from '../plugins/fingerprint.js';
import type { Remembered, RememberedPlugins } from '../plugins/remembered.js';
import { checkSchemas } from '../plugins/schema-check.js';
import type { PluginOwner } from './runner.js';

/**
 * What is remembered of a plugin, unless it is asked all the same: who offers other tools than were trusted is held back,
 * and so never started to tell what it offers now.
 */
export function recallDefinition(
  remembered: RememberedPlugins,
  place: Parameters<RememberedPlugins['find']>[0],
  host: Pick<PluginOwner, 'isToBeAsked'>,
): Remembered | undefined {
  const known = remembered.find(place);
  return known && host.isToBeAsked?.(known.definition) ? undefined : known;
}

/**
 * Remembers what a plugin offers, if it is a complete success; what was written while it was being loaded belongs to the
 * next start. @param before how its files stood then
 */
export function keepDefinition(
  remembered: RememberedPlugins,
  candidate: Candidate & { readonly entry: string },
  before: Fingerprint,
  definition: PluginDefinition,
): void {
  const isComplete =
    definition.problems.every(({ severity }) => severity !== 'error') &&
    definition.tools.every((tool) => checkSchemas(tool, '').length === 0);
  if (isComplete && fingerprint(candidate).stamp === before.stamp) remembered.keep(candidate, before, definition);
  else remembered.forget(candidate);
}
