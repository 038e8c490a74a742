import type { LockInfo } from '@mortise/plugin';

/** What an operation writes to. */
export interface LockTarget {
  readonly scope: LockInfo['lockScope'];
  /** Absolute path of the project, solution or folder; for scope `global`, of the folder that identifies the target. */
  readonly path: string;
}

export interface LockRequest {
  readonly targets: readonly LockTarget[];
  /** In lower case, as messages name it: `build`. */
  readonly operation: string;
  /** The id of the tool call, for readers of the lock file. */
  readonly callId?: string;
  /** How long to wait; 0 refuses immediately, unless the lock is held by a cancelled operation of this process that is about to end. */
  readonly waitMs: number;
  /** The signal of the call: it ends the wait, and shows that a lock it holds will be released soon. */
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

/** The locks of this machine: between calls, and between server processes (docs/spec/dotnet-runtime.md#lock-conflicts). */
export interface Locks {
  /**
   * All of the targets, or none. Who waits is served first come, first served, within this server.
   * @throws the signal's reason when it fires before the lock is held
   */
  acquire(request: LockRequest): Promise<{ acquired: AcquiredLock } | { refused: RefusedLock }>;
  /** What other server processes hold now. */
  others(): Promise<OtherLock[]>;
  /** Releases the locks that are still held, and removes those that ended processes left behind. */
  close(): Promise<void>;
}
