import { realpathSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { solutionOf } from '../project-files/solution-file.js';
import type { LockTarget } from './lock.js';

const SCOPES: Readonly<Record<string, LockTarget['scope']>> = {
  '.csproj': 'project',
  '.fsproj': 'project',
  '.vbproj': 'project',
  '.sln': 'solution',
  '.slnx': 'solution',
};

/**
 * What a call on this project, solution or folder locks (docs/spec/contract.md#lock-scope); without a path it is the
 * working directory. A solution filter locks as its solution.
 */
export function lockTargetFor(path: string | undefined, workingDirectory: string): LockTarget {
  const named = resolve(workingDirectory, path ?? '.');
  const target = canonicalPath(locked(named));
  return { scope: SCOPES[extname(target).toLowerCase()] ?? 'workingDirectory', path: target };
}

/** Absolute, symlinks resolved as far as the path exists, in the case that the disk has. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(canonicalPath(parent), basename(path));
  }
}

/** The solution of a filter; the filter itself if it cannot be read, because the command reports the reason. */
function locked(path: string): string {
  try {
    return solutionOf(path);
  } catch {
    return path;
  }
}
