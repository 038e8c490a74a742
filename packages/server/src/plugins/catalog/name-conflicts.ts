import type { PluginProblem, ProblemCode } from '@mortise/plugin/runtime';
import type { Runner } from '../../core/plugin-runner.js';
import type { CatalogEntry } from './catalog-entry.js';
import type { Registration } from './registrations.js';

/** The problems with names of each plugin. */
export type NameProblems = Map<CatalogEntry, PluginProblem[]>;

/** The names that each plugin registers, in the form of {@link Registration.what}. */
export type RegisteredNames = Map<CatalogEntry, Set<string>>;

interface Settling {
  isOwn(registration: Registration<unknown>): boolean;
  isRegistered(registration: Registration<unknown>): boolean;
  registered: RegisteredNames;
  nameProblems: NameProblems;
}

/** If several registrations have the same name, the first one in the order of their ranks is kept; the others become problems. */
export function resolveNameConflicts<T extends { runner: Runner }>(
  code: ProblemCode,
  registrations: readonly Registration<T>[],
  { isOwn, isRegistered, registered, nameProblems }: Settling,
): T[] {
  const owners = new Map<string, Registration<T>>();
  const spelled = new Map<string, Registration<T>>();
  const rank = (registration: Registration<T>) => (isOwn(registration) ? 0 : isRegistered(registration) ? 1 : 2);
  return [...registrations]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap((registration) => {
      const { entry, keys, spelling } = registration;
      const holder =
        keys.map((key) => owners.get(key)).find(Boolean) ??
        (spelling !== undefined && !isOwn(registration) ? spelled.get(spelling) : undefined);
      if (holder) {
        nameProblems.get(entry)!.push(duplicate(code, registration, holder));
        return [];
      }
      for (const key of keys) owners.set(key, registration);
      if (spelling !== undefined && isOwn(registration)) spelled.set(spelling, registration);
      registered.get(entry)!.add(registration.what);
      return [registration.provided];
    });
}

/** The problem of a name that is reserved for `owner`. */
export function nameReserved(code: ProblemCode, registration: Registration<unknown>, owner: string): PluginProblem {
  return {
    severity: 'error',
    code,
    message: `The ${registration.what} of ${origin(registration)} is refused: names like this one are reserved for ${owner}`,
    hint: 'Choose a name with another prefix.',
    location: { file: fileOf(registration.entry), subject: registration.subject },
  };
}

function duplicate(
  code: ProblemCode,
  registration: Registration<unknown>,
  holder: Registration<unknown>,
): PluginProblem {
  const clash =
    holder.subject === registration.subject
      ? `${origin(holder)} has this name already`
      : `clients see it as the same name as the ${holder.what} of ${origin(holder)}`;
  return {
    severity: 'error',
    code,
    message: `The ${registration.what} of ${origin(registration)} is refused: ${clash}`,
    hint: 'Rename one of them, or remove one of the two plugins from the plugins folder.',
    location: { file: fileOf(registration.entry), subject: registration.subject },
  };
}

const fileOf = ({ candidate }: CatalogEntry) => candidate.entry ?? candidate.path;

function origin({ entry, provided }: Registration<unknown>): string {
  const { origin: way } = (provided as { definition: { origin?: string } }).definition;
  return `'${entry.candidate.name}' (${fileOf(entry)}${way ? `, ${way}` : ''})`;
}
