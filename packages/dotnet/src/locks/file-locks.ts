import { randomBytes } from 'node:crypto';
import { createProjectsOf, isConflict, type ProjectsOf } from './conflicts.js';
import type { AcquiredLock, LockRequest, Locks, OtherLock, RefusedLock } from './lock.js';
import { type Conflict, createOwner, type LockEntry, lockInfoOf, otherLock, refusedLock } from './lock-entry.js';
import { LockFiles } from './lock-files.js';

/*
 * The locks of docs/spec/contract.md#lock-info, as files in one folder (docs/spec/dotnet-runtime.md#locks).
 *
 * A request without conflicts claims its lock: it writes its file, then reads the files of the other servers again. If
 * two conflicting requests claim at the same time, at least one of them sees the other, so they never both hold a lock.
 * A request that sees a conflict removes its file and tries again later; otherwise it holds the lock until it is
 * released.
 *
 * The requests of this server are served in order of arrival. Between servers there is no order: each tries again after
 * a random pause, which gets shorter the longer its first request has waited. A server that has released a lock also
 * pauses, because it would always be the first otherwise.
 */

/** A request that waits for its lock or holds it. */
interface Requested {
  readonly id: string;
  readonly request: LockRequest;
  /** The time of the request, in milliseconds of `performance.now()`. */
  readonly since: number;
  /** True if another request was in conflict at least once. */
  hasWaited: boolean;
  isHeld: boolean;
  resolve(answer: { acquired: AcquiredLock } | { refused: RefusedLock }): void;
  reject(error: unknown): void;
}

/** The minimum wait for a lock that a cancelled operation still holds. It is longer than the kill of a build takes. */
const CANCELLED_HOLDER_WAIT_MS = 10_000;
/** The pause is halved after a wait of this time, and is a third after twice this time. */
const PATIENCE_MS = 100;
/** The pause is never divided by more than this. */
const MAX_HASTE = 3;

export interface LocksOptions {
  /** The absolute path of the folder. If it does not exist, it is created for this user only. */
  readonly folder: string;
  readonly projectsOf?: ProjectsOf;
  /** The mean pause between two looks at the locks of other servers, in milliseconds. */
  readonly pollMs?: number;
  /** Called once for each entry of the folder that is not a lock. */
  report?(message: string): void;
}

/** The locks between calls of this process and of other processes. The top of this file describes the algorithm. */
export class FileLocks implements Locks {
  readonly #projectsOf: ProjectsOf;
  readonly #pollMs: number;
  readonly #owner = createOwner();
  readonly #files: LockFiles;
  /** The requests by id, in order of arrival. */
  readonly #requests = new Map<string, Requested>();
  #timer: NodeJS.Timeout | undefined;
  /** The time until which this server leaves the locks to others, in milliseconds of `performance.now()`. */
  #pausesUntil = 0;

  constructor({ folder, projectsOf = createProjectsOf(), pollMs = 25, report = () => {} }: LocksOptions) {
    this.#projectsOf = projectsOf;
    this.#pollMs = pollMs;
    this.#files = new LockFiles(folder, report);
  }

  acquire(request: LockRequest): Promise<{ acquired: AcquiredLock } | { refused: RefusedLock }> {
    return new Promise((resolve, reject) => {
      request.signal.throwIfAborted();
      if (request.targets.length === 0) throw new RangeError('A lock needs a target');
      const onAbort = () => this.#leave(requested).reject(request.signal.reason);
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          request.signal.removeEventListener('abort', onAbort);
          settle(value);
        };
      const requested: Requested = {
        id: randomBytes(8).toString('hex'),
        request,
        since: performance.now(),
        hasWaited: false,
        isHeld: false,
        resolve: settled(resolve),
        reject: settled(reject),
      };
      request.signal.addEventListener('abort', onAbort);
      this.#requests.set(requested.id, requested);
      this.#lookIn(this.#pausesUntil - performance.now());
    });
  }

  async others(): Promise<OtherLock[]> {
    return this.#readOthers().map(otherLock);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const requested of this.#requests.values()) {
      if (requested.isHeld) this.#release(requested);
      else this.#leave(requested).reject(new Error('The server is shutting down'));
    }
    clearTimeout(this.#timer);
    this.#readOthers();
  }

  #readOthers(): LockEntry[] {
    return this.#files.readAll().filter(({ owner }) => owner.id !== this.#owner.id);
  }

  get #waiting(): Requested[] {
    return [...this.#requests.values()].filter(({ isHeld }) => !isHeld);
  }

  /** Plans the next look at the locks of others in `ms` milliseconds, in place of the planned one. */
  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.max(0, ms));
  }

  /** Serves the waiting requests that are possible now. */
  #look(): void {
    try {
      this.#files.makeFolder();
      const theirs = this.#readOthers();
      for (const requested of this.#waiting) this.#serve(requested, theirs);
    } catch (error) {
      for (const requested of this.#waiting) this.#leave(requested).reject(error);
    }
    const [first] = this.#waiting;
    if (first) this.#lookIn(this.#pauseMs(first));
  }

  #pauseMs({ since }: Requested): number {
    const haste = Math.min(MAX_HASTE, 1 + (performance.now() - since) / PATIENCE_MS);
    return (this.#pollMs * 2 * Math.random()) / haste;
  }

  /** Lets one request hold its lock, wait, or be refused. */
  #serve(requested: Requested, theirs: readonly LockEntry[]): void {
    const { request, since, hasWaited } = requested;
    const found = this.#findConflict(requested, theirs);
    const waitedMs = hasWaited ? Math.round(performance.now() - since) : 0;
    if (found) {
      if (waitedMs < this.#waitMsFor(request, found)) requested.hasWaited = true;
      else this.#leave(requested).resolve({ refused: refusedLock(found, waitedMs) });
    } else if (this.#claim(requested)) {
      this.#hold(requested, waitedMs);
    }
  }

  /**
   * Every request waits for a cancelled call of this server, because its lock is free as soon as its processes have
   * ended.
   */
  #waitMsFor({ waitMs }: LockRequest, { entry: { id } }: Conflict): number {
    const holder = this.#requests.get(id);
    const isCancelled = holder?.isHeld === true && holder.request.signal.aborted;
    return isCancelled ? Math.max(waitMs, CANCELLED_HOLDER_WAIT_MS) : waitMs;
  }

  /** Looks for a conflict with locks of this server, with its earlier requests, and with locks of others. */
  #findConflict(requested: Requested, theirs: readonly LockEntry[]): Conflict | undefined {
    const ours: LockEntry[] = [];
    let isBefore = true;
    for (const other of this.#requests.values()) {
      if (other === requested) isBefore = false;
      else if (isBefore || other.isHeld) ours.push(this.#entryOf(other));
    }
    for (const entry of [...ours, ...theirs]) {
      for (const target of requested.request.targets) {
        const other = entry.targets.find((theirTarget) => isConflict(target, theirTarget, this.#projectsOf));
        if (other) return { target, other, entry };
      }
    }
    return undefined;
  }

  /** Writes the file of a request. @returns false, with the file removed, if another server claims the lock too */
  #claim(requested: Requested): boolean {
    this.#files.write(this.#entryOf(requested));
    if (this.#findConflict(requested, this.#readOthers()) === undefined) return true;
    this.#files.remove(requested.id);
    return false;
  }

  #hold(requested: Requested, waitedMs: number): void {
    const { request, hasWaited } = requested;
    requested.isHeld = true;
    requested.resolve({
      acquired: {
        lockInfo: { ...lockInfoOf(request.targets[0]!), ...(hasWaited && { lockWaitedMs: waitedMs }) },
        release: async () => this.#release(requested),
      },
    });
  }

  #entryOf({ request, id, since }: Requested): LockEntry {
    const { operation, callId, targets } = request;
    const at = new Date(performance.timeOrigin + since).toISOString();
    return { id, owner: this.#owner, operation, ...(callId !== undefined && { callId }), at, targets };
  }

  /** Removes a request that does not wait any more. */
  #leave(requested: Requested): Requested {
    this.#requests.delete(requested.id);
    return requested;
  }

  #release({ id }: Requested): void {
    if (!this.#requests.delete(id)) return;
    this.#files.remove(id);
    const pauseMs = this.#pollMs * Math.random();
    this.#pausesUntil = performance.now() + pauseMs;
    if (this.#requests.size > 0) this.#lookIn(pauseMs);
  }
}
