import type { ErrorResult } from '@mortise/plugin';
import { ActionError } from '../actions/action.js';
import { again } from '../advice/next-call.js';
import { packageInMessage } from '../advice/package-in-message.js';
import { isSameName } from '../project-files/msbuild-syntax.js';

/** What the failed call was to do with which packages, each an `Id` or `Id@version`; empty: all that can be updated. */
export interface RequestedChange {
  readonly done: 'added' | 'updated';
  readonly packageIds: readonly string[];
}

/** Packages that a message names; of more, the first ones and their number. */
const MAX_NAMES = 3;

const idOf = (idAndVersion: string): string => idAndVersion.split('@')[0]!;

/**
 * NuGet restores all packages of a project before it changes one of them, and changes none if that fails (SDK 10). Where
 * the errors are about other packages only, the message says so, because the requested ones are not at fault.
 * @throws ActionError in any case
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

/** The packages that the errors name; none if one of them names no package, or a requested one. */
function otherPackages(errors: readonly ErrorResult[], requested: readonly string[]): string[] {
  const named = errors.map(({ code, message }) => (/^NU1\d{3}$/.test(code) ? packageInMessage(message) : undefined));
  const isOther = (id: string | undefined) => id !== undefined && !requested.some((one) => isSameName(idOf(one), id));
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

/** One call that updates the requested packages and the others, because each alone would fail with the others. */
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
