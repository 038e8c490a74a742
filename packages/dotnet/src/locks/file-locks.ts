import { randomBytes } from 'node:crypto';
import { createProjectsOf, isConflict, type ProjectsOf } from './conflicts.js';
import type { AcquiredLock, LockRequest, Locks, OtherLock, RefusedLock } from './lock.js';
import { type Conflict, createOwner, type LockEntry, lockInfoOf, otherLock, refusedLock } from './lock-entry.js';
import { LockFiles } from './lock-files.js';

/*
 * The locks of docs/spec/contract.md#lock-info as files of one folder (docs/spec/dotnet-runtime.md#locks).
 *
 * A request that nothing conflicts with claims its lock: it writes its file, and looks at the files of others again after that. Of
 * two requests that claim at once and conflict, at least one sees the other, so never do both hold a lock. Who sees a conflict
 * takes its file away and tries again later; without one the request holds its lock until it is released.
 *
 * The requests of this server are served in the order in which they came. Between servers there is no order: each tries again
 * after a pause of random length, which is shorter for who has waited longer. A server that has released a lock pauses too,
 * or it would always be the first.
 */

interface Requested {
  readonly id: string;
  readonly request: LockRequest;
  /** `performance.now()`. */
  readonly since: number;
  /** Something was in its way at least once. */
  hasWaited: boolean;
  isHeld: boolean;
  resolve(answer: { acquired: AcquiredLock } | { refused: RefusedLock }): void;
  reject(error: unknown): void;
}

/** How long a request waits for an operation that was cancelled to be gone: longer than the kill of a build takes. */
const CANCELLED_HOLDER_WAIT_MS = 10_000;
/** A request pauses half as long once it has waited for this time, and a third as long after twice the time. */
const PATIENCE_MS = 100;
const MAX_HASTE = 3;

export interface LocksOptions {
  /** Created if it does not exist, for this user only. */
  readonly folder: string;
  readonly projectsOf?: ProjectsOf;
  /** The mean pause between two looks at the locks of other servers, in milliseconds. */
  readonly pollMs?: number;
  /** Called once for each entry of the folder that is not a lock. */
  report?(message: string): void;
}

/** Locks between the calls of this process and between processes, as files. */
export class FileLocks implements Locks {
  readonly #projectsOf: ProjectsOf;
  readonly #pollMs: number;
  readonly #owner = createOwner();
  readonly #files: LockFiles;
  /** By id, in order of arrival. */
  readonly #requests = new Map<string, Requested>();
  #timer: NodeJS.Timeout | undefined;
  /** `performance.now()` until which others have their turn. */
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

  /** Looks whether requests can be served, after that many milliseconds; an earlier look that was planned is not made. */
  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.max(0, ms));
  }

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

  /** What a look comes to for one request. */
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

  /** For a call that was cancelled here everybody waits: what it started is being ended, and then its lock is free. */
  #waitMsFor({ waitMs }: LockRequest, { entry: { id } }: Conflict): number {
    const holder = this.#requests.get(id);
    const isCancelled = holder?.isHeld === true && holder.request.signal.aborted;
    return isCancelled ? Math.max(waitMs, CANCELLED_HOLDER_WAIT_MS) : waitMs;
  }

  /** Waits for what this server holds, for its requests that came before, and for what others hold. */
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

  /** Whether no other server claims it at the same time. */
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

  /** It waits no more. */
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
