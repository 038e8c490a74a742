import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isConflict } from './conflicts.js';
import type { AcquiredLock, LockRequest, Locks, LockTarget, OtherLock, RefusedLock } from './lock.js';
import { createLockFiles, type LockFileEntry, type LockFiles } from './lock-files.js';
import { makeOwnFolder } from './lock-folder.js';
import { createOwner } from './owner.js';
import { createProjectsOf, type ProjectsOf } from './solution-projects.js';

/** A lock, or with `ticket` a place in the queue for one. */
interface LockEntry extends LockFileEntry {
  /** Of the request. */
  readonly id: string;
  readonly operation: string;
  readonly callId?: string;
  /** ISO 8601. */
  readonly at: string;
  readonly targets: readonly LockTarget[];
  /** The lower one is served first, unless it has not looked for long: a stopped process holds no one up. */
  readonly ticket?: { readonly number: number; readonly endsAt: number };
}

/** After a ticket's time is over, in milliseconds, before it counts no more. */
const TICKET_GRACE_MS = 1000;

/** How long a request waits for an operation that was cancelled to be gone: longer than the kill of a build takes. */
const CANCELLED_HOLDER_WAIT_MS = 10_000;

interface Waiting {
  readonly request: LockRequest;
  readonly id: string;
  readonly since: number;
  ticket?: LockEntry['ticket'];
  resolve(answer: { acquired: AcquiredLock } | { refused: RefusedLock }): void;
  reject(error: unknown): void;
}

export interface LocksOptions {
  /** Made where it is not there, for this user alone. */
  readonly folder: string;
  readonly projectsOf?: ProjectsOf;
  /** Between two looks at what other processes hold, in milliseconds. */
  readonly pollMs?: number;
  /** Hears of what is in the folder and is not a lock, each once. */
  report?(message: string): void;
}

/**
 * The locks of docs/spec/contract.md#lock-info as files: one per lock key, which names its owner, and one per waiting
 * request. Whoever finds the owner gone takes over (docs/spec/dotnet-runtime.md#locks).
 */
export function createLocks(options: LocksOptions): Locks {
  const { folder, projectsOf = createProjectsOf(), pollMs = 25, report = () => {} } = options;
  const owner = createOwner();
  const files: LockFiles<LockEntry> = createLockFiles({ folder, owner, isEntry: isLockEntry, report });
  const acquired = new Map<string, { readonly names: readonly string[]; readonly signal: AbortSignal }>();
  let queue: Waiting[] = [];
  let isServing = false;
  let queueChanged = false;
  let wake = () => {};

  function open<Result>(change: (entries: Map<string, LockEntry>) => Result): Promise<Result> {
    makeOwnFolder(folder, process.getuid?.());
    return files.exclusively(change);
  }

  /** One at a time for this process, as long as someone waits. */
  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    try {
      while (queue.length > 0) {
        queueChanged = false;
        await open((entries) => {
          for (const waiting of [...queue]) answer(waiting, entries);
        });
        if (queue.length > 0) await waitForPoll();
      }
    } catch (error) {
      for (const waiting of [...queue]) dequeue(waiting).reject(error);
    } finally {
      isServing = false;
    }
  }

  function waitForPoll(): Promise<void> {
    if (queueChanged) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Something was released, or asked for, here. */
  function notify(): void {
    queueChanged = true;
    wake();
  }

  function answer(waiting: Waiting, entries: Map<string, LockEntry>): void {
    const { request, since, id } = waiting;
    const found = findConflict(waiting, entries.values());
    const waitMs =
      found && isHolderCancelled(found.entry) ? Math.max(request.waitMs, CANCELLED_HOLDER_WAIT_MS) : request.waitMs;
    const waitedMs = waiting.ticket === undefined ? 0 : Math.round(performance.now() - since);
    if (!found || waitedMs >= waitMs) entries.delete(ticketName(id));
    if (!found) {
      dequeue(waiting);
      acquire(waiting, waitedMs, entries);
    } else if (waitedMs >= waitMs) {
      dequeue(waiting).resolve({ refused: lockConflict(found, waitedMs) });
    } else if (waiting.ticket === undefined) {
      const last = Math.max(0, ...[...entries.values()].map((entry) => entry.ticket?.number ?? 0));
      waiting.ticket = { number: last + 1, endsAt: Date.now() + waitMs - waitedMs };
      const entry: LockEntry = { ...entryOf(waiting), ticket: waiting.ticket };
      files.create(ticketName(id), entry);
      entries.set(ticketName(id), entry);
    }
  }

  /** Its call was cancelled, here: what it started is being ended, and then its lock is free. */
  function isHolderCancelled({ id }: LockEntry): boolean {
    return acquired.get(id)?.signal.aborted === true;
  }

  function findConflict(waiting: Waiting, entries: Iterable<LockEntry>) {
    for (const entry of entries) {
      if (entry.id === waiting.id || isQueuedAfter(entry, waiting)) continue;
      for (const target of waiting.request.targets) {
        const other = entry.targets.find((theirs) => isConflict(target, theirs, projectsOf));
        if (other) return { target, other, entry };
      }
    }
    return undefined;
  }

  function isQueuedAfter({ ticket }: LockEntry, waiting: Waiting): boolean {
    if (ticket === undefined) return false;
    const isLater = ticket.number > (waiting.ticket?.number ?? Number.POSITIVE_INFINITY);
    return isLater || Date.now() > ticket.endsAt + TICKET_GRACE_MS;
  }

  /** One file per key, each naming its own target; an error leaves none of them. */
  function acquire(waiting: Waiting, waitedMs: number, entries: Map<string, LockEntry>): void {
    const names: string[] = [];
    try {
      for (const target of waiting.request.targets) {
        const name = lockName(target);
        if (names.includes(name)) continue;
        const entry = { ...entryOf(waiting), targets: [target] };
        if (!files.create(name, entry)) throw new Error(`The lock ${name} in ${folder} is in the way: delete it`);
        names.push(name);
        entries.set(name, entry);
      }
    } catch (error) {
      names.forEach(files.remove);
      waiting.reject(error);
      return;
    }
    acquired.set(waiting.id, { names, signal: waiting.request.signal });
    waiting.resolve({
      acquired: {
        lockInfo: {
          ...lockInfoOf(waiting.request.targets[0]!),
          ...(waiting.ticket !== undefined && { lockWaitedMs: waitedMs }),
        },
        release: async () => release(waiting.id),
      },
    });
  }

  function entryOf({ request, id }: Waiting): LockEntry {
    const { operation, callId, targets } = request;
    return { id, owner, operation, ...(callId !== undefined && { callId }), at: new Date().toISOString(), targets };
  }

  /** Out of the queue. */
  function dequeue(waiting: Waiting): Waiting {
    queue = queue.filter((other) => other !== waiting);
    if (waiting.ticket !== undefined) files.remove(ticketName(waiting.id));
    return waiting;
  }

  /** Where the folder was emptied meanwhile the key may be someone else's. */
  function release(id: string): void {
    const { names = [] } = acquired.get(id) ?? {};
    acquired.delete(id);
    for (const name of names) if (files.read(name)?.id === id) files.remove(name);
    notify();
  }

  return {
    acquire(request) {
      return new Promise((resolve, reject) => {
        request.signal.throwIfAborted();
        if (request.targets.length === 0) throw new RangeError('A lock needs a target');
        const onAbort = () => dequeue(waiting).reject(request.signal.reason);
        const settled =
          <Value>(settle: (value: Value) => void) =>
          (value: Value) => {
            request.signal.removeEventListener('abort', onAbort);
            settle(value);
          };
        const waiting: Waiting = {
          request,
          id: randomBytes(8).toString('hex'),
          since: performance.now(),
          resolve: settled(resolve),
          reject: settled(reject),
        };
        request.signal.addEventListener('abort', onAbort);
        queue.push(waiting);
        notify();
        void serve();
      });
    },
    async others() {
      if (!existsSync(folder)) return [];
      const entries = await open((found) => [...found.values()]);
      const theirs = entries.filter((entry) => entry.owner.id !== owner.id && entry.ticket === undefined);
      return [...new Map(theirs.map((entry) => [entry.id, otherLock(entry)])).values()];
    },
    async close() {
      for (const waiting of [...queue]) dequeue(waiting).reject(new Error('The server is shutting down'));
      for (const id of [...acquired.keys()]) release(id);
      if (existsSync(folder)) await open(() => {});
    },
  };
}

function otherLock({ operation, targets, at, owner }: LockEntry): OtherLock {
  return { operation, target: targets[0]!.path, startedAt: at, ownerPid: owner.pid, ownerHost: owner.host };
}

function lockConflict(
  { target, other, entry }: { target: LockTarget; other: LockTarget; entry: LockEntry },
  waitedMs: number,
) {
  const startedAt = entry.at.slice(0, 19).replace('T', ' ');
  return {
    lockInfo: { ...lockInfoOf(target), lockContended: true, lockWaitedMs: waitedMs },
    conflictingOperation: `${entry.operation} on ${other.path} (started at ${startedAt})`,
    ownerPid: entry.owner.pid,
    ownerHost: entry.owner.host,
  } as const;
}

const SCOPES: ReadonlySet<unknown> = new Set(['project', 'solution', 'workingDirectory', 'global']);

function isLockEntry(value: LockFileEntry): value is LockEntry {
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

function lockInfoOf({ scope, path }: LockTarget) {
  return { lockScope: scope, lockKey: path };
}

function lockName({ scope, path }: LockTarget): string {
  const key = scope === 'global' ? `global ${path}` : path;
  return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.lock`;
}

function ticketName(id: string): string {
  return `${id}.ticket`;
}
