import type { JsonObject } from '../json.js';

/**
 * What a plugin reads: the shared settings, in which a key of its own section replaces the key with everything below it, in any
 * letter case (docs/spec/configuration.md#own-section).
 */
export function withSection(shared: JsonObject, section: JsonObject): JsonObject {
  const replaced = new Set(Object.keys(section).map((key) => key.toLowerCase()));
  if (replaced.size === 0) return shared;
  const others = Object.entries(shared).filter(([key]) => !replaced.has(key.toLowerCase()));
  return { ...section, ...Object.fromEntries(others) };
}
