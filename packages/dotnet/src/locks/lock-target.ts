import { realpathSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
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
  const target = canonicalPath(extname(named).toLowerCase() === '.slnf' ? (solutionOfFilter(named) ?? named) : named);
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

/** Undefined if the filter cannot be read; the command reports the reason. */
function solutionOfFilter(path: string): string | undefined {
  try {
    const filter = JSON.parse(readRegularText(path).replace(/^\uFEFF/, '')) as { solution?: { path?: unknown } };
    const solution = filter.solution?.path;
    return typeof solution === 'string' ? resolve(dirname(path), solution.replaceAll('\\', '/')) : undefined;
  } catch {
    return undefined;
  }
}
