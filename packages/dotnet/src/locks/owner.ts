import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { isSameStart, processStart, READS_STARTS } from '../process/tree.js';

/** The process that holds a lock. */
export interface Owner {
  readonly pid: number;
  /** Tells it from a later process with the same pid. */
  readonly start: string;
  readonly host: string;
  /** Differs between the `Locks` of one process. */
  readonly id: string;
}

export function createOwner(): Owner {
  const start = processStart(process.pid);
  if (start === undefined) throw new Error('The start time of this process cannot be read');
  return { pid: process.pid, start, host: hostname(), id: randomBytes(8).toString('hex') };
}

/** How long a process that was there is taken to be there, in milliseconds, where asking means to start one. */
const TRUST_MS = READS_STARTS ? 0 : 10_000;

const seenAt = new Map<string, number>();

/** Whether the owner has ended, and its lock is nobody's. What another machine wrote is never judged. */
export function isGone({ pid, start, host }: Owner): boolean {
  if (host !== hostname()) return false;
  const key = `${pid} ${start}`;
  if (performance.now() - (seenAt.get(key) ?? Number.NEGATIVE_INFINITY) < TRUST_MS) return false;
  const found = processStart(pid);
  const isThere = found !== undefined && isSameStart(found, start);
  if (TRUST_MS > 0 && isThere) seenAt.set(key, performance.now());
  return !isThere;
}
