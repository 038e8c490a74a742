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
 * Returns the lock target for a project, a solution or a folder (docs/spec/contract.md#lock-scope); by default for the
 * working directory. The target of a solution filter is its solution.
 */
export function lockTargetFor(path: string | undefined, workingDirectory: string): LockTarget {
  const named = resolve(workingDirectory, path ?? '.');
  const target = canonicalPath(solutionOrPath(named));
  return { scope: SCOPES[extname(target).toLowerCase()] ?? 'workingDirectory', path: target };
}

/** Resolves the links of the part of an absolute path that exists, and takes the letter case of names from the disk. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(canonicalPath(parent), basename(path));
  }
}

/** Returns the solution of a filter, or the path itself. A filter that cannot be read is reported by the command. */
function solutionOrPath(path: string): string {
  try {
    return solutionOf(path);
  } catch {
    return path;
  }
}
