import { traitsOf } from '../../core/plugin-kinds.js';
import type { CatalogEntry } from './catalog-entry.js';

/**
 * Returns the same spelling for all names that clients and models may confuse, such as `mcp_bank_x`, `MCP.Bank-x` and
 * `mcp__bank__x`.
 */
export const spellingOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');

interface Prefix {
  readonly spelling: string;
  readonly owner: CatalogEntry;
}

export interface ReservedNames {
  /**
   * Describes the owner of a name of `entry`, if the name is reserved for another one: `the mounted server 'bank'`.
   * @param spelling the result of {@link spellingOf} for the name
   */
  ownerOf(entry: CatalogEntry, spelling: string): string | undefined;
}

/**
 * Reserves the prefixes of the server's own tools and of mounted servers, loaded or not, and those of bundled plugins
 * until they have loaded.
 */
export function reservedNames(builtIn: CatalogEntry | undefined, plugins: readonly CatalogEntry[]): ReservedNames {
  const reserving = plugins.filter(({ candidate, definition }) => {
    const { reserved } = traitsOf(candidate);
    return reserved && !(reserved.isUntilLoaded && definition);
  });
  const prefixes: Prefix[] = [
    ...(builtIn ? [{ spelling: 'builtin_', owner: builtIn }] : []),
    ...reserving.map((owner) => ({ spelling: `${spellingOf(owner.candidate.name)}_`, owner })),
  ];
  return {
    ownerOf(entry, spelling) {
      const ownLength = prefixes.find(({ owner }) => owner === entry)?.spelling.length ?? 0;
      // The longer prefix decides, because the name of one mounted server can begin with that of another.
      const other = prefixes.find(
        (prefix) =>
          prefix.owner !== entry && prefix.spelling.length > ownLength && spelling.startsWith(prefix.spelling),
      );
      return other && describeOwner(other.owner);
    },
  };
}

const describeOwner = ({ candidate }: CatalogEntry) => traitsOf(candidate).reserved?.owner(candidate.name);
