import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { HAS_START_TIMES, isSameStartTime, processStartTime } from '@mortise/process';

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
  const start = processStartTime(process.pid);
  if (start === undefined) throw new Error('The start time of this process cannot be read');
  return { pid: process.pid, start, host: hostname(), id: randomBytes(8).toString('hex') };
}

/** The highest process id of any system, and the longest text of an owner. */
const MAX_PID = 2 ** 31 - 1;
const MAX_CHARS = 300;

/** Whether a value is what {@link createOwner} makes: other programs may have written anything. */
export function isOwner(value: unknown): value is Owner {
  const { pid, start, host, id } = (value ?? {}) as Partial<Record<keyof Owner, unknown>>;
  const isText = (text: unknown) => typeof text === 'string' && text.length > 0 && text.length <= MAX_CHARS;
  const isPid = typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && pid <= MAX_PID;
  return isPid && isText(start) && isText(host) && typeof id === 'string' && /^[\w-]{1,64}$/.test(id);
}

/** How long a process that was there is taken to be there, in milliseconds, where asking means to start one. */
const TRUST_MS = HAS_START_TIMES ? 0 : 10_000;

const seenAt = new Map<string, number>();

/** Whether the owner has ended, so that its lock is free. Always false for owners on another machine. */
export function hasExited({ pid, start, host }: Owner): boolean {
  if (host !== hostname()) return false;
  const key = `${pid} ${start}`;
  if (performance.now() - (seenAt.get(key) ?? Number.NEGATIVE_INFINITY) < TRUST_MS) return false;
  const found = processStartTime(pid);
  const isThere = found !== undefined && isSameStartTime(found, start);
  if (TRUST_MS > 0 && isThere) seenAt.set(key, performance.now());
  return !isThere;
}
