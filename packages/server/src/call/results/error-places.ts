import { posix } from 'node:path';
import type { ErrorResult } from '@mortise/plugin';

/** The same error in several places, such as a type that is missing in many files. */
export interface ErrorPlaces {
  /** The first of them. */
  readonly error: ErrorResult;
  readonly others: readonly ErrorResult[];
}

/** Errors with the same code and message together, in the order of the first of each. */
export function groupByMessage(errors: readonly ErrorResult[]): ErrorPlaces[] {
  const groups = new Map<string, { error: ErrorResult; others: ErrorResult[] }>();
  for (const error of errors) {
    // An error without a place in a file is not the same as another one.
    const key = error.file === undefined || error.line === undefined ? error : `${error.code} ${error.message}`;
    const group = typeof key === 'string' ? groups.get(key) : undefined;
    if (group) group.others.push(error);
    else groups.set(typeof key === 'string' ? key : `${groups.size}`, { error, others: [] });
  }
  return [...groups.values()];
}

const MAX_PLACES = 4;

/** `30 more places in 12 files: B.cs(4,5), …` on a line of its own, relative to the folder of the first; empty if there are none. */
export function otherPlaces({ error, others }: ErrorPlaces): string {
  if (others.length === 0) return '';
  const files = new Set(others.map(({ file }) => file)).size;
  const places = others.slice(0, MAX_PLACES).map((other) => placeOf(other, error));
  const count = others.length === 1 ? '1 more place' : `${others.length} more places`;
  const where = files > 1 ? ` in ${files} files` : '';
  return `\n  ${count}${where}: ${places.join(', ')}${others.length > places.length ? ', …' : ''}`;
}

function placeOf({ file = '', line, column = 1 }: ErrorResult, first: ErrorResult): string {
  const [path, base] = [file, first.file!].map((name) => name.replaceAll('\\', '/'));
  const relative = posix.relative(posix.dirname(base!), path!);
  const name = relative.length < path!.length ? relative : path;
  return `${name}(${line},${column})`;
}
