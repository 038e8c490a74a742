import { createHash } from 'node:crypto';
import type { LockInfo } from '@mortise/plugin';
import type { LockTarget, OtherLock, RefusedLock } from './lock.js';
import type { LockFileEntry } from './lock-files.js';

/** A place in the queue. The lower number is served first, unless its process has not scanned for a long time, so that a stopped process does not block others. */
export interface Ticket {
  readonly number: number;
  /** When its request gives up, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** A lock, or with `ticket` a place in the queue for one. */
export interface LockEntry extends LockFileEntry {
  /** The id of the request. */
  readonly id: string;
  readonly operation: string;
  readonly callId?: string;
  /** ISO 8601. */
  readonly at: string;
  readonly targets: readonly LockTarget[];
  readonly ticket?: Ticket;
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

/** Whether the content of a file is an entry: anyone may have written it. */
export function isLockEntry(value: LockFileEntry): value is LockEntry {
  const { id, operation, callId, at, targets, ticket } = value as Partial<LockEntry>;
  const isTarget = (target: Partial<LockTarget> | null) =>
    SCOPES.has(target?.scope) && typeof target?.path === 'string';
  const isTicket = ticket === undefined || [ticket?.number, ticket?.endsAt].every(Number.isFinite);
  return (
    [id, operation, at].every((text) => typeof text === 'string') &&
    (callId === undefined || typeof callId === 'string') &&
    Array.isArray(targets) &&
    targets.every(isTarget) &&
    isTicket
  );
}

/** The name of the file that is the lock of a target: the same for every process. */
export function lockName({ scope, path }: LockTarget): string {
  const key = scope === 'global' ? `global ${path}` : path;
  return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.lock`;
}

/** The name of the file that is the place of a request in the queue. @param id of the request */
export function ticketName(id: string): string {
  return `${id}.ticket`;
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
