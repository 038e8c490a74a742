import type { LockInfo } from '@mortise/plugin';
import type { LockTarget, OtherLock, RefusedLock } from './lock.js';
import type { Owner } from './owner.js';

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
