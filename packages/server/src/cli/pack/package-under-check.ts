import { join } from 'node:path';
import { isJsonObject } from '@mortise/plugin/runtime';
import type { PackageJson } from '../../plugins/find/package-entry.js';
import type { Issue } from '../shared/issue.js';
import type { PackCode } from '../shared/pack-codes.js';

/** The package that is checked, and the files that npm would publish of it. */
export interface PackageUnderCheck {
  /** Absolute. */
  readonly folder: string;
  readonly json: PackageJson;
  /** Paths from the folder, with `/`. */
  readonly files: readonly string[];
}

/** A finding. @param file relative to the folder */
export function finding(
  severity: Issue['severity'],
  code: PackCode,
  { folder, file, line }: { folder: string; file: string; line?: number | undefined },
  message: string,
  hint: string,
): Issue {
  return { severity, code, message, hint, file: join(folder, file), ...(line !== undefined && { line }) };
}

/** The members of an object of package.json; none if it is something else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** `a.js, b.js and 3 more`. */
export function someOf(names: readonly string[], shown = 5): string {
  const more = names.length - shown;
  return names.slice(0, shown).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
