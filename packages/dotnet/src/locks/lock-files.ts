import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRegularText, UnreadableFileError } from '@mortise/plugin/runtime';
import { hasExited, isOwner, type Owner } from './owner.js';

/** What every file in the folder of locks begins with. */
export interface LockFileEntry {
  readonly owner: Owner;
}

const MUTEX = 'gate';
/** What servers call their files; others are left alone. */
const OWN_NAME = /^gate(?:\.|$)|\.(?:lock|ticket)(?:\.|$)/;
/** The pause between two checks of a held mutex, in milliseconds; it is usually held for less than one. */
const MUTEX_POLL_MS = 2;
const MAX_MUTEX_WAIT_MS = 10_000;
/** A file that was never linked: its process was killed in that moment. */
const STALE_FILE_MS = 60_000;
/** Far more than any entry has. */
const MAX_ENTRY_BYTES = 1024 * 1024;

/**
 * A folder of small files, each of them complete as soon as it can be seen, that processes change one at a time. Files of
 * owners that have ended are removed on the way.
 */
export interface LockFiles<Entry extends LockFileEntry> {
  /** Does `change` while no other process does. Short and synchronous: the others wait. */
  exclusively<Result>(change: (entries: Map<string, Entry>) => Result): Promise<Result>;
  /** False if the file already exists. */
  create(name: string, entry: Entry): boolean;
  read(name: string): Entry | undefined;
  remove(name: string): void;
}

export interface LockFilesOptions<Entry extends LockFileEntry> {
  readonly folder: string;
  readonly owner: Owner;
  /** Whether the content of a lock, with a valid owner, is one. */
  isEntry(value: LockFileEntry): value is Entry;
  /** Hears of files that no server has written, each once. */
  report(message: string): void;
}

/** What has a name in the folder: an entry, something else and what it is, or nothing. */
interface Found<Entry> {
  readonly entry?: Entry;
  readonly invalid?: string;
}

export function createLockFiles<Entry extends LockFileEntry>(options: LockFilesOptions<Entry>): LockFiles<Entry> {
  const { folder, owner, isEntry, report } = options;
  const reported = new Set<string>();
  const pathOf = (name: string) => join(folder, name);
  let drafts = 0;

  function parseEntry(text: string, isLock: boolean): Found<Entry> {
    try {
      const value = JSON.parse(text) as Partial<LockFileEntry> | null;
      if (!isOwner(value?.owner)) return { invalid: 'its owner is not a process' };
      const entry = value as LockFileEntry;
      if (isLock && !isEntry(entry)) return { invalid: 'a part of it is missing or wrong' };
      return { entry: entry as Entry };
    } catch (error) {
      if (error instanceof SyntaxError) return { invalid: 'it is not JSON' };
      throw error;
    }
  }

  /** A link to a complete file: exclusive, and never seen half-written. */
  function create(name: string, entry: LockFileEntry): boolean {
    drafts += 1;
    const draft = pathOf(`${owner.id}-${drafts}.draft`);
    writeFileSync(draft, JSON.stringify(entry), { mode: 0o600 });
    try {
      linkSync(draft, pathOf(name));
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      remove(draft);
    }
  }

  function find(name: string): Found<Entry> {
    try {
      return parseEntry(
        readRegularText(pathOf(name), MAX_ENTRY_BYTES),
        name.endsWith('.lock') || name.endsWith('.ticket'),
      );
    } catch (error) {
      if (error instanceof UnreadableFileError) return { invalid: error.why };
      // A broken link exists, too.
      if (codeOf(error) === 'ENOENT')
        return lstatSync(pathOf(name), { throwIfNoEntry: false })?.isSymbolicLink()
          ? { invalid: 'it is a broken link' }
          : {};
      throw error;
    }
  }

  /** Undefined if it does not exist, or is not an entry. */
  const read = (name: string): Entry | undefined => find(name).entry;

  /** Removes a file that no server has written, so that it blocks no one. @throws Error for a folder that is not empty */
  function discard(name: string, why: string): void {
    const path = pathOf(name);
    const isOurs = OWN_NAME.test(name);
    if (isOurs && !remove(path)) throw new Error(`${path}, where a lock would be, is a folder. Delete it.`);
    if (!reported.has(name))
      report(`${path} is not a lock of Mortise: ${why}. It is ignored${isOurs ? ' and was removed' : ''}.`);
    reported.add(name);
  }

  /** Renames it first, because it may be the mutex of another process by now; then it is renamed back. */
  function discardMutex(why: string): void {
    const draft = `${owner.id}-gate.draft`;
    try {
      renameSync(pathOf(MUTEX), pathOf(draft));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    if (read(draft)) linkSync(pathOf(draft), pathOf(MUTEX));
    else if (!reported.has(MUTEX))
      report(`${pathOf(MUTEX)} is not a lock of Mortise: ${why}. It is ignored and was removed.`);
    reported.add(MUTEX);
    if (!remove(pathOf(draft))) throw new Error(`${pathOf(draft)} is a folder. Delete it.`);
  }

  /**
   * Removes a file whose owner has ended. Several processes may have seen that, and the file may have a new owner by now: so only
   * the process that holds the claim on this owner's file acts, after checking again. The owner of a claim can end, too.
   */
  function removeStale(name: string, staleOwner: Owner): void {
    const takeover = `${name}.${staleOwner.id}`;
    if (create(takeover, { owner })) {
      if (read(name)?.owner.id === staleOwner.id) remove(pathOf(name));
      remove(pathOf(takeover));
      return;
    }
    const claimant = read(takeover)?.owner;
    if (claimant && hasExited(claimant)) removeStale(takeover, claimant);
  }

  async function acquireMutex(): Promise<void> {
    const deadline = performance.now() + MAX_MUTEX_WAIT_MS;
    for (;;) {
      if (create(MUTEX, { owner })) return;
      const { entry, invalid } = find(MUTEX);
      const holder = entry?.owner;
      if (holder && hasExited(holder)) removeStale(MUTEX, holder);
      else if (invalid !== undefined) discardMutex(invalid);
      if (performance.now() > deadline) {
        const who = holder ? `process ${holder.pid} on ${holder.host}` : 'other processes';
        throw new Error(`Cannot acquire locks in ${folder}: blocked by ${who}`);
      }
      await sleep(MUTEX_POLL_MS);
    }
  }

  /** All entries by name, without those whose owner has ended. */
  function readAll(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    for (const name of readdirSync(folder)) {
      if (name === MUTEX) continue;
      if (name.endsWith('.draft')) {
        if (isStale(pathOf(name))) remove(pathOf(name));
        continue;
      }
      const { entry, invalid } = find(name);
      if (invalid !== undefined) discard(name, invalid);
      else if (entry && hasExited(entry.owner)) remove(pathOf(name));
      else if (entry && !name.startsWith(MUTEX)) entries.set(name, entry);
    }
    return entries;
  }

  return {
    async exclusively(change) {
      await acquireMutex();
      try {
        return change(readAll());
      } finally {
        remove(pathOf(MUTEX));
      }
    },
    create,
    read,
    remove: (name) => void remove(pathOf(name)),
  };
}

/** Still there afterwards: only a folder that is not empty. */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'ERR_FS_EISDIR') throw error;
  }
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function isStale(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE_FILE_MS;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
