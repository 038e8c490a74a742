import type { ErrorResult } from '@mortise/plugin';
import { ActionError } from '../actions/action.js';
import { again } from '../advice/next-call.js';
import { packageInMessage } from '../advice/package-in-message.js';
import { isSameName } from '../project-files/msbuild-syntax.js';

/** The change of packages that a failed call requested. */
export interface RequestedChange {
  readonly done: 'added' | 'updated';
  /** The packages, each as `Id` or `Id@version`; empty for all that can be updated. */
  readonly packageIds: readonly string[];
}

/** The maximum number of packages that a message names. Further packages are only counted. */
const MAX_NAMES = 3;

const idOf = (idAndVersion: string): string => idAndVersion.split('@')[0]!;

/**
 * Creates an error handler for a change of packages. NuGet restores all packages of a project before it changes one of
 * them, and changes none if that fails (SDK 10). If the errors are only about other packages, the message says so. The
 * handler throws the error, changed or not.
 */
export function blamingOthers(change: RequestedChange): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ActionError) || error.options.code !== undefined) throw error;
    const { errors = [], structured } = error.options;
    const others = otherPackages(errors, change.packageIds);
    if (others.length === 0) throw error;
    const message = messageFor(change, others);
    const [first, ...more] = errors;
    const action = updateOfAll(errors, change);
    throw new ActionError(message, {
      ...error.options,
      errors: [{ ...first!, ...(action && { recommendedAction: action }) }, ...more],
      structured: { ...structured, ...(structured && 'summary' in structured && { summary: message }) },
    });
  };
}

/** Returns the packages that the errors name; empty if an error names no package or a requested one. */
function otherPackages(errors: readonly ErrorResult[], requested: readonly string[]): string[] {
  const named = errors.map(({ code, message }) => (/^NU1\d{3}$/.test(code) ? packageInMessage(message) : undefined));
  const isOther = (id: string | undefined) =>
    id !== undefined && !requested.some((idAndVersion) => isSameName(idOf(idAndVersion), id));
  return named.every(isOther) ? [...new Set(named as string[])] : [];
}

function messageFor({ done, packageIds }: RequestedChange, others: readonly string[]): string {
  const ids = packageIds.map(idOf);
  const changed =
    ids.length === 0 ? `No package was ${done}` : `${ids.join(', ')} ${ids.length > 1 ? 'were' : 'was'} not ${done}`;
  const more = others.length > MAX_NAMES ? ` and ${others.length - MAX_NAMES} more` : '';
  const names = others.slice(0, MAX_NAMES).join(', ');
  return `${changed}: NuGet restores all packages first, and other packages cannot be restored: ${names}${more}`;
}

/** Recommends a call that updates the requested and the other packages, because separate calls would all fail. */
function updateOfAll(errors: readonly ErrorResult[], { done, packageIds }: RequestedChange) {
  if (done !== 'updated' || packageIds.length === 0) return undefined;
  const updates = errors.flatMap(({ recommendedAction: next }) => {
    if (typeof next !== 'object' || next.actionKind !== 'CallTool' || next.arguments.action !== 'Update') return [];
    return [`${next.arguments.packageId}@${next.arguments.version}`];
  });
  if (updates.length === 0) return undefined;
  return again('Update them in one call, because NuGet restores all packages before it changes one.', {
    packageId: undefined,
    version: undefined,
    packageIds: [...packageIds, ...updates],
  });
}
