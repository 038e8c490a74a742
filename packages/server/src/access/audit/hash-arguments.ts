import { createHmac } from 'node:crypto';
import { sortedJson } from '../../util/sorted-json.js';

/** The HMAC-SHA-256 of arguments: the same for the same arguments, whatever the order of their keys. */
export function hashArguments(key: Buffer, value: unknown): string {
  return createHmac('sha256', key).update(sortedJson(value)).digest('hex');
}
