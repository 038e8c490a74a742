import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Distinguishes a file or folder from its earlier state; the empty text if it does not exist. */
export type StateHash = string;

/** Size, change times and inode of what a path leads to. */
export function stateHashOf(path: string): StateHash {
  const stats = statsOf(path);
  return stats ? `${stats.mtimeNs} ${stats.ctimeNs} ${stats.size} ${stats.dev}:${stats.ino}` : '';
}

export function stateHashesOf(paths: Iterable<string>): Map<string, StateHash> {
  return new Map(Array.from(paths, (path) => [path, stateHashOf(path)]));
}

/** Whether all paths are as they were. */
export function areUnchanged(stateHashes: ReadonlyMap<string, StateHash>): boolean {
  for (const [path, stateHash] of stateHashes) if (stateHashOf(path) !== stateHash) return false;
  return true;
}

/**
 * Whether the path was changed after the time at which a process was started that reads it. The clock of a file system
 * lags by a few milliseconds, the process reads later than that.
 */
export function isChangedSince(path: string, startedAtMs: number): boolean {
  const stats = statsOf(path);
  return stats !== undefined && Number(stats.ctimeNs / 1_000_000n) >= startedAtMs;
}

/**
 * A folder and all folders in it, through symbolic links too; `undefined` if there are more than `limit`. For a missing
 * folder, only the folder itself.
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

/** MSBuild sees nothing there either. */
const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
