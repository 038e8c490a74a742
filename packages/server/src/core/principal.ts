import { SCOPES } from '../settings/access-settings.js';

/** A permission of a principal (docs/spec/access.md#scopes). */
export type Scope = (typeof SCOPES)[number];

/** The user of a token (docs/spec/tokens.md#token-principals). */
export interface TokenIdentity {
  /** The `Name` of the issuer in `Auth.Issuers`. */
  readonly issuer: string;
  readonly subject: string;
  /** The profile that the token's claims give. */
  readonly profile: string | undefined;
  /** The profile in the URL of the request. */
  readonly urlProfile: string | undefined;
  /** The URL of the OAuth metadata of this server (RFC 9728), which `WWW-Authenticate` headers name. */
  readonly metadataUrl: string;
  /** Returns the name under which a client can request a scope of the issuer; undefined if it cannot. */
  readonly requestableName: (scope: Scope) => string | undefined;
}

/**
 * An authenticated sender of requests (docs/spec/access.md#principals). As long as a key is valid, there is exactly one
 * object for each pair of key and URL profile, so principals can be compared by identity and used as keys of a map.
 * A reload of the settings can change the scopes and profiles of the object. Tokens of one user with different rights
 * have different objects with the same name.
 */
export interface Principal {
  /** The name in limits, the audit and logs: the key's name, `<issuer>/<subject>` of a token, or `local`, `loopback` or {@link PAGE_NAME}. */
  readonly name: string;
  /** The name of the principal's entry in `Auth.Keys`; undefined if it did not send a key. */
  readonly keyName?: string;
  /** Undefined if the principal did not send a token. */
  readonly identity?: TokenIdentity;
  readonly scopes: ReadonlySet<Scope>;
  /** Sorted names of profiles. The principal sees the intersection of them, or everything if there are none. */
  readonly profiles: readonly string[];
}

/** The user who started the server: the command line, and the client over stdio. */
export const LOCAL: Principal = { name: 'local', scopes: new Set(SCOPES), profiles: [] };

/** True for {@link LOCAL} without profiles, which sees everything. */
export const isWholeLocal = (principal: Principal | undefined): boolean =>
  principal?.name === LOCAL.name && principal.profiles.length === 0;

/** A client over HTTP on a server without keys. */
export const LOOPBACK: Principal = {
  name: 'loopback',
  scopes: new Set<Scope>(['mortise:read', 'mortise:write']),
  profiles: [],
};

/** The principal name of the page of `mortise workbench`. No key can have this name, `local` or `loopback`. */
export const PAGE_NAME = 'workbench page';
