import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRegularText, UnreadableFile } from '@mortise/plugin/runtime';
import { isGone, isOwner, type Owner } from './owner.js';

/** What every file in the folder of locks begins with. */
export interface OwnedEntry {
  readonly owner: Owner;
}

const GUARD = 'gate';
/** What servers call their files; others are left alone. */
const OWN_NAME = /^gate(?:\.|$)|\.(?:lock|ticket)(?:\.|$)/;
/** Between two looks at a gate that is held, in milliseconds: it is held for less than one, mostly. */
const GUARD_POLL_MS = 2;
const MAX_GUARD_WAIT_MS = 10_000;
/** A file that was never linked: its process was killed in that moment. */
const STALE_FILE_MS = 60_000;
/** Far more than any entry has. */
const MAX_ENTRY_BYTES = 1024 * 1024;

/**
 * A folder of small files, each of them complete as soon as it can be seen, that processes change one at a time. Files of
 * owners that have ended are removed on the way.
 */
export interface LockFiles<Entry extends OwnedEntry> {
  /** Does `change` while no other process does. Short and synchronous: the others wait. */
  exclusively<Result>(change: (entries: Map<string, Entry>) => Result): Promise<Result>;
  /** False where the file is there already. */
  create(name: string, entry: Entry): boolean;
  read(name: string): Entry | undefined;
  remove(name: string): void;
}

export interface LockFilesOptions<Entry extends OwnedEntry> {
  readonly folder: string;
  readonly owner: Owner;
  /** Whether the content of a lock, with a valid owner, is one. */
  isEntry(value: OwnedEntry): value is Entry;
  /** Hears of files that no server has written, each once. */
  report(message: string): void;
}

/** What has a name in the folder: an entry, something else and what it is, or nothing. */
interface Found<Entry> {
  readonly entry?: Entry;
  readonly invalid?: string;
}

export function createLockFiles<Entry extends OwnedEntry>(options: LockFilesOptions<Entry>): LockFiles<Entry> {
  const { folder, owner, isEntry, report } = options;
  const reported = new Set<string>();
  const pathOf = (name: string) => join(folder, name);
  let drafts = 0;

  function parseEntry(text: string, isLock: boolean): Found<Entry> {
    try {
      const value = JSON.parse(text) as Partial<OwnedEntry> | null;
      if (!isOwner(value?.owner)) return { invalid: 'its owner is not a process' };
      const owned = value as OwnedEntry;
      if (isLock && !isEntry(owned)) return { invalid: 'a part of it is missing or wrong' };
      return { entry: owned as Entry };
    } catch (error) {
      if (error instanceof SyntaxError) return { invalid: 'it is not JSON' };
      throw error;
    }
  }

  /** A link to a complete file: exclusive, and never seen half-written. */
  function create(name: string, entry: OwnedEntry): boolean {
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
      if (error instanceof UnreadableFile) return { invalid: error.why };
      // A link to nothing is there, too.
      if (codeOf(error) === 'ENOENT')
        return lstatSync(pathOf(name), { throwIfNoEntry: false })?.isSymbolicLink()
          ? { invalid: 'it leads nowhere' }
          : {};
      throw error;
    }
  }

  /** Undefined where it is not there, or is no entry. */
  const read = (name: string): Entry | undefined => find(name).entry;

  /** What no server has written holds nobody up. @throws Error for a folder with something in it */
  function discard(name: string, why: string): void {
    const path = pathOf(name);
    const isOurs = OWN_NAME.test(name);
    if (isOurs && !remove(path)) throw new Error(`${path}, where a lock would be, is a folder. Delete it.`);
    if (!reported.has(name))
      report(`${path} is not a lock of Mortise: ${why}. It is ignored${isOurs ? ' and was removed' : ''}.`);
    reported.add(name);
  }

  /** By another name first: it may be somebody's gate by now, and is put back then. */
  function discardGuard(why: string): void {
    const draft = `${owner.id}-gate.draft`;
    try {
      renameSync(pathOf(GUARD), pathOf(draft));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    if (read(draft)) linkSync(pathOf(draft), pathOf(GUARD));
    else if (!reported.has(GUARD))
      report(`${pathOf(GUARD)} is not a lock of Mortise: ${why}. It is ignored and was removed.`);
    reported.add(GUARD);
    if (!remove(pathOf(draft))) throw new Error(`${pathOf(draft)} is a folder. Delete it.`);
  }

  /**
   * Removes a file whose owner has ended. Several may have seen that, and the file may be somebody's again by now: so only
   * who holds the claim on this owner's file acts, and looks again. A claim's own owner may end, too.
   */
  function removeOfGone(name: string, gone: Owner): void {
    const takeover = `${name}.${gone.id}`;
    if (create(takeover, { owner })) {
      if (read(name)?.owner.id === gone.id) remove(pathOf(name));
      remove(pathOf(takeover));
      return;
    }
    const claimant = read(takeover)?.owner;
    if (claimant && isGone(claimant)) removeOfGone(takeover, claimant);
  }

  async function enterGuard(): Promise<void> {
    const deadline = performance.now() + MAX_GUARD_WAIT_MS;
    for (;;) {
      if (create(GUARD, { owner })) return;
      const { entry, invalid } = find(GUARD);
      const holder = entry?.owner;
      if (holder && isGone(holder)) removeOfGone(GUARD, holder);
      else if (invalid !== undefined) discardGuard(invalid);
      if (performance.now() > deadline) {
        const who = holder ? `process ${holder.pid} on ${holder.host}` : 'other processes';
        throw new Error(`Cannot acquire locks in ${folder}: blocked by ${who}`);
      }
      await sleep(GUARD_POLL_MS);
    }
  }

  /** What is there, by name; without what nobody owns any more. */
  function readAll(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    for (const name of readdirSync(folder)) {
      if (name === GUARD) continue;
      if (name.endsWith('.draft')) {
        if (isStale(pathOf(name))) remove(pathOf(name));
        continue;
      }
      const { entry, invalid } = find(name);
      if (invalid !== undefined) discard(name, invalid);
      else if (entry && isGone(entry.owner)) remove(pathOf(name));
      else if (entry && !name.startsWith(GUARD)) entries.set(name, entry);
    }
    return entries;
  }

  return {
    async exclusively(change) {
      await enterGuard();
      try {
        return change(readAll());
      } finally {
        remove(pathOf(GUARD));
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
