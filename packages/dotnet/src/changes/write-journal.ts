import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createOwner, hasExited, isOwner } from '../locks/lock-entry.js';
import { makeOwnFolder } from '../locks/lock-files.js';
import { writeBeside } from '../project-files/text-file.js';

/** A file that is replaced, renamed or created. Paths are absolute. */
export interface Replacement {
  /** The path of the old file, with symbolic links resolved. */
  readonly from: string;
  readonly to: string;
  /** The path of the new file until it is renamed to `to`. */
  readonly temporary: string;
  /** The old bytes in base64; undefined for a new file. */
  readonly before: string | undefined;
  /** SHA-256 of the new bytes, in hexadecimal digits. */
  readonly afterHash: string;
  readonly mode: number | undefined;
}

const JOURNAL_MODE = 0o600;
/** The age of a journal that will never be renamed, because its process was killed while it wrote the file. */
const STALE_FILE_MS = 60_000;

/**
 * Keeps the old contents of several files while they are written together, so that another process can restore them if
 * this one is killed (docs/spec/dotnet-code.md#changes).
 */
export class WriteJournal {
  readonly #folder: string;
  readonly #report: (message: string) => void;
  readonly #owner = createOwner();
  #count = 0;

  /** @param report called for each change that was undone or cannot be undone */
  constructor(folder: string, report: (message: string) => void = () => {}) {
    this.#folder = folder;
    this.#report = report;
  }

  /** Call this before the first file is written. @returns a function to call after the last one */
  async begin(replacements: readonly Replacement[]): Promise<() => Promise<void>> {
    makeOwnFolder(this.#folder, process.getuid?.());
    this.#count += 1;
    const path = join(this.#folder, `${this.#owner.id}-${this.#count}.json`);
    const text = JSON.stringify({ owner: this.#owner, replacements });
    await rename(await writeBeside(path, Buffer.from(text), JOURNAL_MODE), path);
    return () => rm(path);
  }

  /**
   * Undoes the changes whose process was killed while it wrote them.
   * @throws Error if the folder belongs to another user, whose journals could overwrite any file of this user
   */
  async undoInterrupted(): Promise<void> {
    if (!existsSync(this.#folder)) return;
    makeOwnFolder(this.#folder, process.getuid?.());
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      try {
        if (name.endsWith('.json')) await this.#undoIfInterrupted(path);
        else if (Date.now() - statSync(path).mtimeMs > STALE_FILE_MS) await rm(path);
      } catch (error) {
        // Another server may have undone the change meanwhile.
        if (existsSync(path)) this.#report(`The change in ${path} was interrupted and cannot be undone: ${error}`);
      }
    }
  }

  async #undoIfInterrupted(path: string): Promise<void> {
    const { owner, replacements } = JSON.parse(await readFile(path, 'utf8'));
    if (!isOwner(owner) || !hasExited(owner)) return;
    await undo(replacements);
    await rm(path, { force: true });
    const files = (replacements as Replacement[]).map(({ to }) => to).join(', ');
    this.#report(`A change was interrupted, so its files are as they were before: ${files}`);
  }
}

/** Restores the files that these replacements have written. A file that was edited since stays as it is. */
export async function undo(replacements: readonly Replacement[]): Promise<void> {
  for (const { from, to, temporary, before, afterHash, mode } of replacements.toReversed()) {
    await rm(temporary, { force: true });
    if (!existsSync(to) || sha256(await readFile(to)) !== afterHash) continue;
    if (before !== undefined && (from === to || !existsSync(from)))
      await rename(await writeBeside(from, Buffer.from(before, 'base64'), mode), from);
    if (before === undefined || from !== to) await rm(to);
  }
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
