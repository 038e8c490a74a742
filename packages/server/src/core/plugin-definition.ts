import { type EntrySource, isJsonObject, type PluginDefinition } from '@mortise/plugin/runtime';
import type { PluginLimits } from '../settings/plugin-limits.js';

/** What a definition is checked by. */
export interface DefinitionSource extends EntrySource {
  /** Whether the schemas are looked into later, by {@link recheckSchemas}: of what was checked at an earlier start. */
  readonly areSchemasValidated?: boolean;
  /** It judges arguments itself, so a doubtful schema costs a check and not the tool. */
  readonly judgesArguments?: boolean;
  /** How much of it there can be. */
  readonly limits?: PluginLimits;
}

/** Whether it has the structure of a definition; the entries are not checked. */
export function isPluginDefinition(value: unknown): value is PluginDefinition {
  if (!isJsonObject(value)) return false;
  const { tools, resources, prompts, problems } = value;
  return [tools, resources, prompts, problems].every(Array.isArray);
}
