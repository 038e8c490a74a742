import { isJsonObject } from '@mortise/plugin/runtime';
import { by } from './order.js';

/** The value as JSON with sorted members, so that equal values have the same text. */
export function sortedJson(value: unknown): string {
  const json = JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(by(([key]) => key))) : part,
  );
  return json ?? 'null';
}
