import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGone, type Owner } from './owner.js';

/** What every file in the folder of locks begins with. */
export interface OwnedEntry {
  readonly owner: Owner;
}

const GATE = 'gate';
/** Between two looks at a gate that is held, in milliseconds: it is held for less than one, mostly. */
const GATE_POLL_MS = 2;
const MAX_GATE_WAIT_MS = 10_000;
/** A file that was never linked: its process was killed in that moment. */
const STALE_FILE_MS = 60_000;

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

export function createLockFiles<Entry extends OwnedEntry>(folder: string, owner: Owner): LockFiles<Entry> {
  const pathOf = (name: string) => join(folder, name);
  let drafts = 0;

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

  /** Undefined where it is not there, or is no entry. */
  function read(name: string): Entry | undefined {
    try {
      return parseEntry<Entry>(readFileSync(pathOf(name), 'utf8'));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Removes a file whose owner has ended. Several may have seen that, and the file may be somebody's again by now: so only
   * who holds the claim on this owner's file acts, and looks again. A claim's own owner may end, too.
   */
  function removeOfGone(name: string, gone: Owner): void {
    const claim = `${name}.${gone.id}`;
    if (create(claim, { owner })) {
      if (read(name)?.owner.id === gone.id) remove(pathOf(name));
      remove(pathOf(claim));
      return;
    }
    const claimant = read(claim)?.owner;
    if (claimant && isGone(claimant)) removeOfGone(claim, claimant);
  }

  async function enterGate(): Promise<void> {
    const deadline = performance.now() + MAX_GATE_WAIT_MS;
    for (;;) {
      if (create(GATE, { owner })) return;
      const holder = read(GATE)?.owner;
      if (holder && isGone(holder)) removeOfGone(GATE, holder);
      else if (!holder && isStale(pathOf(GATE))) remove(pathOf(GATE));
      if (performance.now() > deadline) {
        const who = holder ? `process ${holder.pid} on ${holder.host}` : 'an unreadable file';
        throw new Error(`The locks in ${folder} cannot be had: ${who} holds them up`);
      }
      await sleep(GATE_POLL_MS);
    }
  }

  /** What is there, by name; without what nobody owns any more. */
  function readAll(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    for (const name of readdirSync(folder)) {
      if (name === GATE) continue;
      if (name.endsWith('.draft')) {
        if (isStale(pathOf(name))) remove(pathOf(name));
        continue;
      }
      const entry = read(name);
      if (entry === undefined || isGone(entry.owner)) remove(pathOf(name));
      else if (!name.startsWith(GATE)) entries.set(name, entry);
    }
    return entries;
  }

  return {
    async exclusively(change) {
      await enterGate();
      try {
        return change(readAll());
      } finally {
        remove(pathOf(GATE));
      }
    },
    create,
    read,
    remove: (name) => remove(pathOf(name)),
  };
}

function parseEntry<Entry extends OwnedEntry>(text: string): Entry | undefined {
  try {
    const entry = JSON.parse(text) as Partial<Entry> | null;
    return typeof entry?.owner?.pid === 'number' ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function isStale(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE_FILE_MS;
}

function remove(path: string): void {
  rmSync(path, { force: true });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
