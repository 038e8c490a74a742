import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { LockInfo } from '@mortise/plugin';
import { HAS_START_TIMES, isSameStartTime, processStartTime } from '@mortise/process';
import type { LockTarget, OtherLock, RefusedLock } from './lock.js';

/** The process that holds a lock. */
export interface Owner {
  readonly pid: number;
  /** The start time of the process, which distinguishes it from a later process with the same pid. */
  readonly start: string;
  readonly host: string;
  /** A random id, because a process can have several `Locks`. */
  readonly id: string;
}

export function createOwner(): Owner {
  const start = processStartTime(process.pid);
  if (start === undefined) throw new Error('The start time of this process cannot be read');
  return { pid: process.pid, start, host: hostname(), id: randomBytes(8).toString('hex') };
}

/** The highest process id of any system. */
const MAX_PID = 2 ** 31 - 1;
const MAX_CHARS = 300;

/** True if a value has the form of an owner. The file may have been written by another program. */
export function isOwner(value: unknown): value is Owner {
  const { pid, start, host, id } = (value ?? {}) as Partial<Record<keyof Owner, unknown>>;
  const isText = (text: unknown) => typeof text === 'string' && text.length > 0 && text.length <= MAX_CHARS;
  const isPid = typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && pid <= MAX_PID;
  return isPid && isText(start) && isText(host) && typeof id === 'string' && /^[\w-]{1,64}$/.test(id);
}

/**
 * The time in milliseconds for which a running process is assumed to run on. It is 0 unless a program must be started
 * to ask for the start time of a process.
 */
const TRUST_MS = HAS_START_TIMES ? 0 : 10_000;

/** The times at which owners were found to run, in milliseconds of `performance.now()`. */
const seenAt = new Map<string, number>();

/** True if the owner has ended, so that its lock is free. Always false for owners on another machine. */
export function hasExited({ pid, start, host }: Owner): boolean {
  if (host !== hostname()) return false;
  const key = `${pid} ${start}`;
  if (performance.now() - (seenAt.get(key) ?? Number.NEGATIVE_INFINITY) < TRUST_MS) return false;
  const currentStart = processStartTime(pid);
  const isRunning = currentStart !== undefined && isSameStartTime(currentStart, start);
  if (TRUST_MS > 0 && isRunning) seenAt.set(key, performance.now());
  return !isRunning;
}

/** The content of the file of a request that holds or claims a lock. */
export interface LockEntry {
  readonly owner: Owner;
  /** The id of the request. */
  readonly id: string;
  readonly operation: string;
  readonly callId?: string;
  /** The time of the request in ISO 8601. */
  readonly at: string;
  readonly targets: readonly LockTarget[];
}

export interface Conflict {
  /** The target of the request. */
  readonly target: LockTarget;
  /** The target of the other request or lock. */
  readonly other: LockTarget;
  readonly entry: LockEntry;
}

const SCOPES: ReadonlySet<unknown> = new Set(['project', 'solution', 'workingDirectory', 'global']);

/** True if the content of a file with a valid owner is an entry. The file may have been written by another program. */
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

export function lockInfoOf({ scope, path }: LockTarget): Pick<LockInfo, 'lockScope' | 'lockKey'> {
  return { lockScope: scope, lockKey: path };
}

export function otherLock({ operation, targets, at, owner }: LockEntry): OtherLock {
  return { operation, target: targets[0]!.path, startedAt: at, ownerPid: owner.pid, ownerHost: owner.host };
}

export function refusedLock({ target, other, entry }: Conflict, waitedMs: number): RefusedLock {
  const startedAt = entry.at.slice(0, 19).replace('T', ' ');
  return {
    lockInfo: { ...lockInfoOf(target), lockContended: true, lockWaitedMs: waitedMs },
    conflictingOperation: `${entry.operation} on ${other.path} (started at ${startedAt})`,
    ownerPid: entry.owner.pid,
    ownerHost: entry.owner.host,
  };
}
