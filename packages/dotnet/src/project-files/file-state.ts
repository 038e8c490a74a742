import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A text that changes when a file or folder changes; empty if it does not exist. */
export type StateHash = string;

/** Returns the size, the change times and the inode of a file or folder. Symbolic links are followed. */
export function stateHashOf(path: string): StateHash {
  const stats = statsOf(path);
  return stats ? `${stats.mtimeNs} ${stats.ctimeNs} ${stats.size} ${stats.dev}:${stats.ino}` : '';
}

export function stateHashesOf(paths: Iterable<string>): Map<string, StateHash> {
  return new Map(Array.from(paths, (path) => [path, stateHashOf(path)]));
}

export function areUnchanged(stateHashes: ReadonlyMap<string, StateHash>): boolean {
  for (const [path, stateHash] of stateHashes) if (stateHashOf(path) !== stateHash) return false;
  return true;
}

/**
 * True if the path was changed after a process that reads it was started. The clock of a file system lags by a few
 * milliseconds, but a process needs longer than that before it reads.
 * @param startedAtMs milliseconds since 1970
 */
export function isChangedSince(path: string, startedAtMs: number): boolean {
  const stats = statsOf(path);
  return stats !== undefined && Number(stats.ctimeNs / 1_000_000n) >= startedAtMs;
}

/**
 * Returns a folder and all folders below it. Symbolic links are followed. For a missing folder, returns only its path.
 * @returns undefined if there are more than `limit` folders
 */
export function folderTree(
  root: string,
  limit: number,
  skips: (path: string) => boolean = () => false,
): string[] | undefined {
  const folders = [root];
  const seen = new Set<string>();
  for (const folder of folders) {
    const stats = statsOf(folder);
    const id = `${stats?.dev}:${stats?.ino}`;
    if (!stats?.isDirectory() || seen.has(id)) continue;
    seen.add(id);
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && statsOf(path)?.isDirectory());
      if (isFolder && !skips(path)) folders.push(path);
    }
    if (folders.length > limit) return undefined;
  }
  return folders;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Errors of folders that count as empty, because MSBuild cannot read them either. */
const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
