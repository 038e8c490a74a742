import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { LockInfo } from '@mortise/plugin';
import { HAS_START_TIMES, isSameStartTime, processStartTime } from '@mortise/process';
import type { LockTarget, OtherLock, RefusedLock } from './lock.js';

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

/** A request that holds or claims a lock, as its file has it. */
export interface LockEntry {
  readonly owner: Owner;
  /** The id of the request. */
  readonly id: string;
  readonly operation: string;
  readonly callId?: string;
  /** ISO 8601. */
  readonly at: string;
  readonly targets: readonly LockTarget[];
}

/** What is in the way of a request. */
export interface Conflict {
  /** What is asked for. */
  readonly target: LockTarget;
  /** What is held, or was asked for before. */
  readonly other: LockTarget;
  readonly entry: LockEntry;
}

const SCOPES: ReadonlySet<unknown> = new Set(['project', 'solution', 'workingDirectory', 'global']);

/** Whether the content of a file, with a valid owner, is an entry: anyone may have written it. */
export function isLockEntry(value: Partial<LockEntry> | null): value is LockEntry {
  const { id, operation, callId, at, targets } = value ?? {};
  const isTarget = (target: Partial<LockTarget> | null) =>
    SCOPES.has(target?.scope) && typeof target?.path === 'string';
  return (
    [id, operation, at].every((text) => typeof text === 'string') &&
    (callId === undefined || typeof callId === 'string') &&
    Array.isArray(targets) &&
    targets.every(isTarget)
  );
}

/** `lockInfo` of a result. */
export function lockInfoOf({ scope, path }: LockTarget): Pick<LockInfo, 'lockScope' | 'lockKey'> {
  return { lockScope: scope, lockKey: path };
}

/** A lock of another process, as it is reported. */
export function otherLock({ operation, targets, at, owner }: LockEntry): OtherLock {
  return { operation, target: targets[0]!.path, startedAt: at, ownerPid: owner.pid, ownerHost: owner.host };
}

/** The result of a refused request. @param waitedMs in milliseconds */
export function refusedLock({ target, other, entry }: Conflict, waitedMs: number): RefusedLock {
  const startedAt = entry.at.slice(0, 19).replace('T', ' ');
  return {
    lockInfo: { ...lockInfoOf(target), lockContended: true, lockWaitedMs: waitedMs },
    conflictingOperation: `${entry.operation} on ${other.path} (started at ${startedAt})`,
    ownerPid: entry.owner.pid,
    ownerHost: entry.owner.host,
  };
}
