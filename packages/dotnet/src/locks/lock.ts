import type { LockInfo } from '@mortise/plugin';

/** A project, a solution or a folder that an operation changes. */
export interface LockTarget {
  readonly scope: LockInfo['lockScope'];
  /**
   * The absolute path of the project, solution or folder. For scope `global`, the folder that identifies the target.
   */
  readonly path: string;
}

export interface LockRequest {
  readonly targets: readonly LockTarget[];
  /** The name of the operation in messages, in lower case: `build`. */
  readonly operation: string;
  /** The id of the tool call, for people who read the lock file. */
  readonly callId?: string;
  /**
   * The maximum wait in milliseconds. With 0 a conflict is refused immediately, unless a cancelled operation of this
   * process holds the lock: that is about to end.
   */
  readonly waitMs: number;
  /**
   * The signal of the call. It ends the wait. If the lock is already held, the signal means that it will be released
   * soon.
   */
  readonly signal: AbortSignal;
}

export interface AcquiredLock {
  readonly lockInfo: LockInfo;
  release(): Promise<void>;
}

/** The answer to a request that is in conflict with another lock or request. */
export interface RefusedLock {
  /** The lock info with lockContended and lockWaitedMs. */
  readonly lockInfo: LockInfo;
  /** The conflicting operation for messages: `build on /repo/App.csproj (started at 2026-04-11 05:30:00)`. */
  readonly conflictingOperation: string;
  readonly ownerPid: number;
  readonly ownerHost: string;
}

/** A lock of another server process. */
export interface OtherLock {
  readonly operation: string;
  /** The absolute path of the target. */
  readonly target: string;
  /** The time of the request in ISO 8601. */
  readonly startedAt: string;
  readonly ownerPid: number;
  readonly ownerHost: string;
}

/** The locks between the calls of all server processes of the user (docs/spec/dotnet-runtime.md#lock-conflicts). */
export interface Locks {
  /**
   * Locks all targets of the request, or none. Requests of one server are served in order of arrival.
   * @throws the signal's reason if it fires before the lock is held
   */
  acquire(request: LockRequest): Promise<{ acquired: AcquiredLock } | { refused: RefusedLock }>;
  /** Returns the locks that other server processes hold. */
  others(): Promise<OtherLock[]>;
  /** Releases all locks of this process, and removes the locks of processes that have ended. */
  close(): Promise<void>;
}
