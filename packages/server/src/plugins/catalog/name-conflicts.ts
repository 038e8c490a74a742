import type { PluginProblem, ProblemCode } from '@mortise/plugin/runtime';
import type { Runner } from '../../core/plugin-runner.js';
import type { CatalogEntry } from './catalog-entry.js';
import type { Registration } from './registrations.js';

export type NameProblems = Map<CatalogEntry, PluginProblem[]>;

/** The names that each plugin has registered, each as a {@link Registration.displayName}. */
export type RegisteredNames = Map<CatalogEntry, Set<string>>;

interface ConflictContext {
  /** True for registrations of the server itself and of bundled plugins, which come first. */
  isOwn(registration: Registration<unknown>): boolean;
  /** True if the plugin had the name in the previous snapshot. Such registrations come second. */
  isRegistered(registration: Registration<unknown>): boolean;
  /** Receives the names that are kept. */
  registered: RegisteredNames;
  /** Receives a problem for each name that is refused. */
  nameProblems: NameProblems;
}

/**
 * Keeps one registration of each name: the server's own and bundled ones come first, then names of the previous
 * snapshot, then the order of `registrations`. Each other registration becomes a problem of its plugin.
 * @returns what the kept registrations provide, in the order of precedence
 */
export function resolveNameConflicts<T extends { runner: Runner }>(
  code: ProblemCode,
  registrations: readonly Registration<T>[],
  { isOwn, isRegistered, registered, nameProblems }: ConflictContext,
): T[] {
  const byKey = new Map<string, Registration<T>>();
  const ownBySpelling = new Map<string, Registration<T>>();
  const rank = (registration: Registration<T>) => (isOwn(registration) ? 0 : isRegistered(registration) ? 1 : 2);
  const byRank: Registration<T>[][] = [[], [], []];
  for (const registration of registrations) byRank[rank(registration)]!.push(registration);
  return byRank.flat().flatMap((registration) => {
    const { entry, keys, spelling } = registration;
    const holder =
      keys.map((key) => byKey.get(key)).find(Boolean) ??
      (spelling !== undefined && !isOwn(registration) ? ownBySpelling.get(spelling) : undefined);
    if (holder) {
      nameProblems.get(entry)!.push(duplicate(code, registration, holder));
      return [];
    }
    for (const key of keys) byKey.set(key, registration);
    if (spelling !== undefined && isOwn(registration)) ownBySpelling.set(spelling, registration);
    registered.get(entry)!.add(registration.displayName);
    return [registration.provided];
  });
}

/** The problem of a name that is reserved for `owner`. */
export function nameReserved(code: ProblemCode, registration: Registration<unknown>, owner: string): PluginProblem {
  return {
    severity: 'error',
    code,
    message: `The ${registration.displayName} of ${origin(registration)} is refused: names like this one are reserved for ${owner}`,
    hint: 'Choose a name with another prefix.',
    location: { file: fileOf(registration.entry), subject: registration.subject },
  };
}

function duplicate(
  code: ProblemCode,
  registration: Registration<unknown>,
  holder: Registration<unknown>,
): PluginProblem {
  const reason =
    holder.subject === registration.subject
      ? `${origin(holder)} has this name already`
      : `clients see it as the same name as the ${holder.displayName} of ${origin(holder)}`;
  return {
    severity: 'error',
    code,
    message: `The ${registration.displayName} of ${origin(registration)} is refused: ${reason}`,
    hint: 'Rename one of them, or remove one of the two plugins from the plugins folder.',
    location: { file: fileOf(registration.entry), subject: registration.subject },
  };
}

const fileOf = ({ candidate }: CatalogEntry) => candidate.entry ?? candidate.path;

function origin({ entry, provided }: Registration<unknown>): string {
  const { origin: originInFile } = (provided as { definition: { origin?: string } }).definition;
  return `'${entry.candidate.name}' (${fileOf(entry)}${originInFile ? `, ${originInFile}` : ''})`;
}
