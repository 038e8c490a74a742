import { posix } from 'node:path';
import type { ErrorResult } from '@mortise/plugin';

/** An error that occurs in several places, such as a type that is missing in many files. */
export interface ErrorPlaces {
  readonly error: ErrorResult;
  readonly others: readonly ErrorResult[];
}

/**
 * Groups errors with the same code and message, in order of first occurrence. Errors without a line are not grouped.
 */
export function groupByMessage(errors: readonly ErrorResult[]): ErrorPlaces[] {
  const groups = new Map<string | ErrorResult, { error: ErrorResult; others: ErrorResult[] }>();
  for (const error of errors) {
    const key = error.file === undefined || error.line === undefined ? error : `${error.code} ${error.message}`;
    const group = groups.get(key);
    if (group) group.others.push(error);
    else groups.set(key, { error, others: [] });
  }
  return [...groups.values()];
}

const MAX_PLACES = 4;

/**
 * Writes a line such as `30 more places in 12 files: B.cs(4,5), …`, with paths relative to the folder of the first
 * error. Returns '' if there are no other places.
 */
export function otherPlaces({ error, others }: ErrorPlaces): string {
  if (others.length === 0) return '';
  const fileCount = new Set(others.map(({ file }) => file)).size;
  const places = others.slice(0, MAX_PLACES).map((other) => placeOf(other, error));
  const count = others.length === 1 ? '1 more place' : `${others.length} more places`;
  const where = fileCount > 1 ? ` in ${fileCount} files` : '';
  return `\n  ${count}${where}: ${places.join(', ')}${others.length > places.length ? ', …' : ''}`;
}

function placeOf({ file = '', line, column = 1 }: ErrorResult, first: ErrorResult): string {
  const path = withSlashes(file);
  const relative = posix.relative(posix.dirname(withSlashes(first.file!)), path);
  const shorter = relative.length < path.length ? relative : path;
  return `${shorter}(${line},${column})`;
}

const withSlashes = (path: string): string => path.replaceAll('\\', '/');
