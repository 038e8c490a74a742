import { join } from 'node:path';
import { isJsonObject } from '@mortise/plugin/runtime';
import type { PackageJson } from '../../plugins/find/package-entry.js';
import type { Issue } from '../shared/issue.js';
import type { PackCode } from '../shared/pack-codes.js';

/** The package that is checked, and the files that npm would publish. */
export interface PackageUnderCheck {
  /** Absolute path. */
  readonly folder: string;
  readonly json: PackageJson;
  /** Paths relative to the folder, with `/`. */
  readonly files: readonly string[];
}

/** Creates an issue about a file of a package. @param file relative to the folder */
export function finding(
  severity: Issue['severity'],
  code: PackCode,
  { folder, file, line }: { folder: string; file: string; line?: number | undefined },
  message: string,
  hint: string,
): Issue {
  return { severity, code, message, hint, file: join(folder, file), ...(line !== undefined && { line }) };
}

/** Returns the members of an object in package.json; [] if the value is not an object. */
export function entriesOf(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Returns `a.js, b.js and 3 more`. @param maxNames the maximum number of names that are listed */
export function someOf(names: readonly string[], maxNames = 5): string {
  const more = names.length - maxNames;
  return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
