import type { LockInfo } from '@mortise/plugin';

/** What an operation writes to. */
export interface LockTarget {
  readonly scope: LockInfo['lockScope'];
  /** Absolute path of the project, solution or folder; for scope `global` of the folder that stands for it. */
  readonly path: string;
}

export interface LockRequest {
  readonly targets: readonly LockTarget[];
  /** In lower case, as messages name it: `build`. */
  readonly operation: string;
  /** Of the tool call, for whoever reads the lock file. */
  readonly callId?: string;
  /** How long to wait; 0 refuses at once, but for an operation of this process that was cancelled and is about to end. */
  readonly waitMs: number;
  /** Of the call: it ends the waiting, and says of a lock that is held that it will be free soon. */
  readonly signal: AbortSignal;
}

/** A lock that is held. */
export interface AcquiredLock {
  readonly lockInfo: LockInfo;
  release(): Promise<void>;
}

/** Someone else holds it. */
export interface RefusedLock {
  /** With lockContended and lockWaitedMs. */
  readonly lockInfo: LockInfo;
  /** `build on /repo/App.csproj (started at 2026-04-11 05:30:00)`. */
  readonly conflictingOperation: string;
  readonly ownerPid: number;
  readonly ownerHost: string;
}

/** A lock of another server process. */
export interface OtherLock {
  readonly operation: string;
  /** Absolute. */
  readonly target: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly ownerPid: number;
  readonly ownerHost: string;
}

/** The locks of this machine: between calls, and between server processes (docs/spec/contract.md#lock-conflicts). */
export interface Locks {
  /**
   * All of the targets, or none. Who waits is served first come, first served, also between processes.
   * @throws the signal's reason when it fires before the lock is held
   */
  acquire(request: LockRequest): Promise<{ acquired: AcquiredLock } | { refused: RefusedLock }>;
  /** What other server processes hold now. */
  others(): Promise<OtherLock[]>;
  /** Releases what is still held, and what processes that have ended left behind. */
  close(): Promise<void>;
}
