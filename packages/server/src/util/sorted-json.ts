import { isJsonObject } from '@mortise/plugin/runtime';

/** The value as JSON, with the members of each object in one order: equal values give the same text. */
export function sortedJson(value: unknown): string {
  const json = JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
  return json ?? 'null';
}
