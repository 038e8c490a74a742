import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText, UnreadableFileError } from '@mortise/plugin/runtime';
import { hasExited, isLockEntry, isOwner, type LockEntry } from './lock-entry.js';

/** Matches the names of files that servers write, including those of earlier versions. Other files are not removed. */
const OWN_NAME = /^gate(?:\.|$)|\.(?:lock|ticket)(?:\.|$)/;
/** The age of a draft that will never be renamed, because its process was killed while it wrote the file. */
const STALE_FILE_MS = 60_000;
/** Far more than any entry has. */
const MAX_ENTRY_BYTES = 1024 * 1024;

/**
 * A folder with a small file for each request that holds or claims a lock. A file is complete as soon as it is visible.
 * Its name is never used again, so every server may remove it when its owner has ended.
 */
export class LockFiles {
  readonly #folder: string;
  readonly #report: (message: string) => void;
  readonly #reported = new Set<string>();

  /** @param report called once for each file that is not a valid lock */
  constructor(folder: string, report: (message: string) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  /**
   * Creates the folder, for this user only.
   * @throws Error if the folder belongs to another user, who can guess its name in /tmp
   */
  makeFolder(): void {
    makeOwnFolder(this.#folder, process.getuid?.());
  }

  /** Writes the file of a request. Its id must be unique. */
  write(entry: LockEntry): void {
    const draft = this.#pathOf(`${entry.id}.draft`);
    writeFileSync(draft, JSON.stringify(entry), { mode: 0o600 });
    renameSync(draft, this.#pathOf(nameOf(entry.id)));
  }

  remove(id: string): void {
    remove(this.#pathOf(nameOf(id)));
  }

  /** Reads all requests that hold or claim a lock. Removes the files of owners that have ended. */
  readAll(): LockEntry[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder).flatMap((name) => this.#read(name) ?? []);
  }

  #read(name: string): LockEntry | undefined {
    const path = this.#pathOf(name);
    if (name.endsWith('.draft')) {
      if (isStale(path)) remove(path);
      return undefined;
    }
    const found = parseEntry(path);
    if (typeof found === 'string') this.#discard(name, found);
    if (typeof found !== 'object') return undefined;
    if (!hasExited(found.owner)) return found;
    remove(path);
    return undefined;
  }

  /**
   * Reports a file that is not a valid lock. If it has the name of a lock, it is removed, so that it blocks no request.
   * @throws Error if it is a folder that is not empty
   */
  #discard(name: string, why: string): void {
    const path = this.#pathOf(name);
    const isOurs = OWN_NAME.test(name);
    if (isOurs && !remove(path)) throw new Error(`${path}, where a lock would be, is a folder. Delete it.`);
    if (!this.#reported.has(name))
      this.#report(`${path} is not a lock of Mortise: ${why}. It is ignored${isOurs ? ' and was removed' : ''}.`);
    this.#reported.add(name);
  }

  #pathOf(name: string): string {
    return join(this.#folder, name);
  }
}

const nameOf = (id: string): string => `${id}.lock`;

/** Reads the entry of a file. Returns the reason if it is not an entry; undefined if the file no longer exists. */
function parseEntry(path: string): LockEntry | string | undefined {
  try {
    const value = JSON.parse(readRegularText(path, MAX_ENTRY_BYTES)) as Partial<LockEntry> | null;
    if (!isOwner(value?.owner)) return 'its owner is not a process';
    return isLockEntry(value) ? value : 'a part of it is missing or wrong';
  } catch (error) {
    if (error instanceof SyntaxError) return 'it is not JSON';
    if (error instanceof UnreadableFileError) return error.why;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // ENOENT also means a broken link, which exists itself.
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? 'it is a broken link' : undefined;
  }
}

/** Removes a file or an empty folder. @returns false if it is a folder that is not empty */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_FS_EISDIR') throw error;
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

/**
 * Creates a folder that only this user can read.
 * @param uid the user who must own the folder; undefined on Windows
 * @throws Error if it cannot be created, is not a folder, or belongs to another user
 */
export function makeOwnFolder(folder: string, uid: number | undefined): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new Error(`The folder ${folder} cannot be made: ${code}`, { cause: error });
  }
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (uid !== undefined && stats.uid !== uid) throw new Error(`The folder ${folder} belongs to another user`);
}
