import type { Settings } from './settings.js';

/** The keys that seal `requestState`: the first seals, and each of them opens. Empty if none is set. */
export function stateKeys({
  StateKeys,
  StateKey,
}: Pick<Settings['Http'], 'StateKey' | 'StateKeys'>): readonly string[] {
  if (StateKeys.length > 0) return StateKeys;
  return StateKey === '' ? [] : [StateKey];
}
