import { randomUUID } from 'node:crypto';
import type { Caller } from './server-api.js';

const ids = new WeakMap<Caller, string>();

/**
 * The id of the call of a caller, made when it is first asked for, which most calls never do. Error results, log lines and
 * audit lines of one call carry the same one (docs/spec/audit.md#call-id).
 */
export function callIdOf(caller: Caller): string {
  let id = ids.get(caller);
  if (id === undefined) {
    id = randomUUID();
    ids.set(caller, id);
  }
  return id;
}
