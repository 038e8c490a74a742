import type { JsonObject } from '../json.js';

/**
 * The settings that a plugin reads: the shared settings with its own section on top. A key of the section replaces the
 * whole shared value of that key; keys are compared in any letter case (docs/spec/configuration.md#own-section).
 */
export function withSection(shared: JsonObject, section: JsonObject): JsonObject {
  const ownKeys = new Set(Object.keys(section).map((key) => key.toLowerCase()));
  if (ownKeys.size === 0) return shared;
  const others = Object.entries(shared).filter(([key]) => !ownKeys.has(key.toLowerCase()));
  return { ...section, ...Object.fromEntries(others) };
}
