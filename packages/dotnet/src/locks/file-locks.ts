import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isConflict } from './conflicts.js';
import type { AcquiredLock, LockRequest, Locks, OtherLock, RefusedLock } from './lock.js';
import {
  type Conflict,
  isLockEntry,
  type LockEntry,
  lockInfoOf,
  lockName,
  otherLock,
  refusedLock,
  type Ticket,
  ticketName,
} from './lock-entry.js';
import { createLockFiles, type LockFiles } from './lock-files.js';
import { makeOwnFolder } from './lock-folder.js';
import { createOwner } from './owner.js';
import { createProjectsOf, type ProjectsOf } from './solution-projects.js';

/*
 * The locks of docs/spec/contract.md#lock-info as files of one folder: one file per locked target, which names its owner,
 * and one per waiting request, its ticket. A scan (`look` in the names below) reads all of them; one process scans at a time (`lock-files.ts`). It removes
 * the files of owners that have ended (docs/spec/dotnet-runtime.md#locks).
 * A request of this process:
 * - asked: no scan was made for it yet. If nothing conflicts, it is held after the first scan.
 * - queued: something conflicts. It has the highest number; it waits for locks and lower numbers, not for higher ones.
 *   Every scan tries again, until nothing conflicts or its time is over.
 * - held: it has a file for each of its targets, until it is released.
 * It leaves when it is refused, cancelled or released. While requests wait, scans are made with pauses in between, and
 * immediately after a request or release in this process.
 */

type RequestState =
  | { readonly name: 'asked' }
  | { readonly name: 'queued'; readonly ticket: Ticket }
  | { readonly name: 'held'; readonly files: readonly string[] };

interface Requested {
  readonly id: string;
  readonly request: LockRequest;
  /** `performance.now()`. */
  readonly since: number;
  state: RequestState;
  resolve(answer: { acquired: AcquiredLock } | { refused: RefusedLock }): void;
  reject(error: unknown): void;
}

type Looking = { readonly name: 'looking'; again: boolean };
type LookState = { readonly name: 'resting' } | Looking | { readonly name: 'pausing'; readonly wake: () => void };

/** After a ticket's time is over, in milliseconds, before it counts no more. */
const TICKET_GRACE_MS = 1000;

/** How long a request waits for an operation that was cancelled to be gone: longer than the kill of a build takes. */
const CANCELLED_HOLDER_WAIT_MS = 10_000;

export interface LocksOptions {
  /** Created if it does not exist, for this user only. */
  readonly folder: string;
  readonly projectsOf?: ProjectsOf;
  /** The pause between two scans for the locks of other processes, in milliseconds. */
  readonly pollMs?: number;
  /** Called once for each entry of the folder that is not a lock. */
  report?(message: string): void;
}

/** Locks between the calls of this process and between processes, as files. */
export class FileLocks implements Locks {
  readonly #folder: string;
  readonly #projectsOf: ProjectsOf;
  readonly #pollMs: number;
  readonly #owner = createOwner();
  readonly #files: LockFiles<LockEntry>;
  /** By id, in order of arrival. */
  readonly #requests = new Map<string, Requested>();
  #look: LookState = { name: 'resting' };

  constructor({ folder, projectsOf = createProjectsOf(), pollMs = 25, report = () => {} }: LocksOptions) {
    this.#folder = folder;
    this.#projectsOf = projectsOf;
    this.#pollMs = pollMs;
    this.#files = createLockFiles({ folder, owner: this.#owner, isEntry: isLockEntry, report });
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
        state: { name: 'asked' },
        resolve: settled(resolve),
        reject: settled(reject),
      };
      request.signal.addEventListener('abort', onAbort);
      this.#requests.set(requested.id, requested);
      this.#lookSoon();
    });
  }

  async others(): Promise<OtherLock[]> {
    if (!existsSync(this.#folder)) return [];
    const entries = await this.#open((found) => [...found.values()]);
    const theirs = entries.filter(({ owner, ticket }) => owner.id !== this.#owner.id && ticket === undefined);
    return [...new Map(theirs.map((entry) => [entry.id, otherLock(entry)])).values()];
  }

  async close(): Promise<void> {
    for (const requested of this.#waiting) this.#leave(requested).reject(new Error('The server is shutting down'));
    for (const requested of this.#requests.values()) this.#release(requested);
    if (existsSync(this.#folder)) await this.#open(() => {});
  }

  get #waiting(): Requested[] {
    return [...this.#requests.values()].filter(({ state }) => state.name !== 'held');
  }

  #open<Result>(change: (entries: Map<string, LockEntry>) => Result): Promise<Result> {
    makeOwnFolder(this.#folder, process.getuid?.());
    return this.#files.exclusively(change);
  }

  /** Called after a request or release in this process. */
  #lookSoon(): void {
    if (this.#look.name === 'resting') void this.#lookUntilServed();
    else if (this.#look.name === 'looking') this.#look.again = true;
    else this.#look.wake();
  }

  async #lookUntilServed(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const looking: Looking = { name: 'looking', again: false };
        this.#look = looking;
        await this.#open((entries) => {
          for (const requested of this.#waiting) this.#answer(requested, entries);
        });
        if (this.#waiting.length > 0 && !looking.again) await this.#pause();
      }
    } catch (error) {
      for (const requested of this.#waiting) this.#leave(requested).reject(error);
    } finally {
      this.#look = { name: 'resting' };
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#pollMs);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#look = { name: 'pausing', wake };
    });
  }

  /** What a look comes to for one request. */
  #answer(requested: Requested, entries: Map<string, LockEntry>): void {
    const { request, since, state, id } = requested;
    const found = this.#findConflict(requested, entries.values());
    const waitMs =
      found && this.#isHolderCancelled(found.entry)
        ? Math.max(request.waitMs, CANCELLED_HOLDER_WAIT_MS)
        : request.waitMs;
    const waitedMs = state.name === 'asked' ? 0 : Math.round(performance.now() - since);
    if (found && waitedMs < waitMs) {
      if (state.name === 'asked') this.#queue(requested, waitMs, entries);
      return;
    }
    entries.delete(ticketName(id));
    if (found) this.#leave(requested).resolve({ refused: refusedLock(found, waitedMs) });
    else this.#hold(requested, waitedMs, entries);
  }

  /** Its call was cancelled, here: what it started is being ended, and then its lock is free. */
  #isHolderCancelled({ id }: LockEntry): boolean {
    const holder = this.#requests.get(id);
    return holder?.state.name === 'held' && holder.request.signal.aborted;
  }

  #findConflict(requested: Requested, entries: Iterable<LockEntry>): Conflict | undefined {
    for (const entry of entries) {
      if (entry.id === requested.id || isQueuedAfter(entry, requested)) continue;
      for (const target of requested.request.targets) {
        const other = entry.targets.find((theirs) => isConflict(target, theirs, this.#projectsOf));
        if (other) return { target, other, entry };
      }
    }
    return undefined;
  }

  #queue(requested: Requested, waitMs: number, entries: Map<string, LockEntry>): void {
    const last = Math.max(0, ...[...entries.values()].map(({ ticket }) => ticket?.number ?? 0));
    const ticket: Ticket = { number: last + 1, endsAt: Date.now() + waitMs };
    requested.state = { name: 'queued', ticket };
    const name = ticketName(requested.id);
    const entry: LockEntry = { ...this.#entryOf(requested), ticket };
    this.#files.create(name, entry);
    entries.set(name, entry);
  }

  /** One file per target, each naming its own; an error leaves none of them. */
  #hold(requested: Requested, waitedMs: number, entries: Map<string, LockEntry>): void {
    const { request, state } = requested;
    const names: string[] = [];
    this.#leave(requested);
    try {
      for (const target of request.targets) {
        const name = lockName(target);
        if (names.includes(name)) continue;
        const entry = { ...this.#entryOf(requested), targets: [target] };
        if (!this.#files.create(name, entry))
          throw new Error(`The lock ${name} in ${this.#folder} is in the way: delete it`);
        names.push(name);
        entries.set(name, entry);
      }
    } catch (error) {
      names.forEach(this.#files.remove);
      requested.reject(error);
      return;
    }
    requested.state = { name: 'held', files: names };
    this.#requests.set(requested.id, requested);
    requested.resolve({
      acquired: {
        lockInfo: { ...lockInfoOf(request.targets[0]!), ...(state.name === 'queued' && { lockWaitedMs: waitedMs }) },
        release: async () => this.#release(requested),
      },
    });
  }

  #entryOf({ request, id }: Requested): LockEntry {
    const { operation, callId, targets } = request;
    const at = new Date().toISOString();
    return { id, owner: this.#owner, operation, ...(callId !== undefined && { callId }), at, targets };
  }

  /** It waits no more. */
  #leave(requested: Requested): Requested {
    this.#requests.delete(requested.id);
    if (requested.state.name === 'queued') this.#files.remove(ticketName(requested.id));
    return requested;
  }

  /** If the folder was emptied in the meantime, another process may have the key. */
  #release({ id, state }: Requested): void {
    if (!this.#requests.delete(id) || state.name !== 'held') return;
    for (const name of state.files) if (this.#files.read(name)?.id === id) this.#files.remove(name);
    this.#lookSoon();
  }
}

function isQueuedAfter({ ticket }: LockEntry, { state }: Requested): boolean {
  if (ticket === undefined) return false;
  const own = state.name === 'queued' ? state.ticket.number : Number.POSITIVE_INFINITY;
  return ticket.number > own || Date.now() > ticket.endsAt + TICKET_GRACE_MS;
}
