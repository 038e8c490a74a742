import { randomUUID } from 'node:crypto';
import type { Caller } from './server-api.js';

const ids = new WeakMap<Caller, string>();

/**
 * Returns the id that all error results, log lines and audit lines of a call share (docs/spec/audit.md#call-id).
 * It is created on first use, because most calls never need one.
 */
export function callIdOf(caller: Caller): string {
  let id = ids.get(caller);
  if (id === undefined) {
    id = randomUUID();
    ids.set(caller, id);
  }
  return id;
}
