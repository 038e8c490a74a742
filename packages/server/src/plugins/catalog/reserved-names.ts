import { traitsOf } from '../../core/plugin-kinds.js';
import type { CatalogEntry } from './catalog-entry.js';

/** One spelling for all names that clients and models take for the same: `mcp_bank_x`, `MCP.Bank-x` and `mcp__bank__x`. */
export const spellingOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');

interface Prefix {
  readonly spelling: string;
  readonly owner: CatalogEntry;
}

/** Which names are kept for whom, whether it has loaded or not. */
export interface ReservedNames {
  /** For whom a name is kept that `entry` has, where that is another: `the mounted server 'bank'`. */
  ownerOf(entry: CatalogEntry, name: string): string | undefined;
}

/** The prefixes of the host's own tools, of mounted servers, and of what ships with the server while it has not loaded. */
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
    ownerOf(entry, name) {
      const spelling = spellingOf(name);
      const own = prefixes.find(({ owner }) => owner === entry)?.spelling.length ?? 0;
      const other = prefixes.find(
        (prefix) => prefix.owner !== entry && prefix.spelling.length > own && spelling.startsWith(prefix.spelling),
      );
      return other && ownerText(other.owner);
    },
  };
}

const ownerText = ({ candidate }: CatalogEntry) => traitsOf(candidate).reserved?.owner(candidate.name);
