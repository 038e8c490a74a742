import { createHmac } from 'node:crypto';

/** The HMAC-SHA-256 of arguments: the same for the same arguments, whatever the order of their keys. */
export function hashArguments(key: Buffer, value: unknown): string {
  return createHmac('sha256', key).update(sortedJson(value)).digest('hex');
}

function sortedJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? 'null'
  );
}
