import { SCOPES } from '../settings/access-settings.js';

/** What a principal may do (docs/spec/access.md#scopes). */
export type Scope = (typeof SCOPES)[number];

/**
 * Who sends a request (docs/spec/access.md#principals). There is one object for each key and profile of a URL while the key is
 * valid, so that it can be compared and be the key of a map. Its scopes and profiles can change at a reload of the settings.
 */
export interface Principal {
  /** The key's name, or one of {@link LOCAL}, {@link LOOPBACK} and {@link PAGE_NAME}, which no key can have. For limits, the audit and logs. */
  readonly name: string;
  /** The name of its entry in `Auth.Keys`, if it has sent a key. */
  readonly keyName?: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The names of its profiles, sorted; what it sees is their intersection. Empty: everything. */
  readonly profiles: readonly string[];
}

/** The command line, and the client over stdio: whoever starts the server. */
export const LOCAL: Principal = { name: 'local', scopes: new Set(SCOPES), profiles: [] };

/** Whether it is {@link LOCAL} without profiles: it sees everything. */
export const isWholeLocal = (principal: Principal | undefined): boolean =>
  principal?.name === LOCAL.name && principal.profiles.length === 0;

/** A client over HTTP while there are no keys. */
export const LOOPBACK: Principal = {
  name: 'loopback',
  scopes: new Set<Scope>(['mortise:read', 'mortise:write']),
  profiles: [],
};

/** The name of the page of `mortise workbench`. */
export const PAGE_NAME = 'workbench page';
