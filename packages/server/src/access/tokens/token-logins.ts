import type { Principal, TokenIdentity } from '../../core/principal.js';
import { MAX_TIMER_MS } from '../../settings/setting-schema.js';
import { narrowPrincipal } from '../access.js';
import type { CheckedToken, TrustedIssuer } from './check-token.js';
import { profileOf, requestableName, scopesOf } from './token-claims.js';

/** The most principals of one login that are remembered. Beyond it, all of them are forgotten; they stay valid. */
const MAX_PRINCIPALS = 100;
/** Sessions that wait for calls are looked at again after this time. */
const BUSY_PAUSE_MS = 1_000;

/** A user or program of an issuer, as long as one of its tokens is valid. */
interface TokenLogin {
  readonly issuer: TrustedIssuer;
  /** When the last of the tokens that were seen expires, in milliseconds since 1970. */
  expiresAt: number;
  /** The principals by their scopes, profiles and URLs, in which tokens and requests of one login can differ. */
  readonly principals: Map<string, Principal>;
}

/** The parts of a request that become part of the principal of its token. */
export interface RequestPlace {
  /** The profile of the URL. */
  readonly urlProfile: string | undefined;
  /** The URL of the metadata of the resource that was requested. */
  readonly metadataUrl: string;
}

/** The principals of tokens (docs/spec/tokens.md#token-life). */
export class TokenLogins {
  readonly #baseProfiles: readonly string[];
  readonly #onExpired: () => number;
  readonly #loginByName = new Map<string, TokenLogin>();
  readonly #loginOf = new WeakMap<Principal, TokenLogin>();
  /** True if sessions of expired tokens wait for the end of their calls. */
  #hasBusySessions = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param baseProfiles restrict every principal
   * @param onExpired called when tokens have expired; ask {@link isExpired}. Returns the number of sessions to end later
   */
  constructor(baseProfiles: readonly string[], onExpired: () => number) {
    this.#baseProfiles = baseProfiles;
    this.#onExpired = onExpired;
  }

  /** The number of users and programs with a valid token. */
  get size(): number {
    return this.#loginByName.size;
  }

  /** Returns the principal of a token at a place: the same object for tokens with the same rights. */
  principalOf(
    { issuer, subject, claims, expiresAt }: CheckedToken,
    { urlProfile, metadataUrl }: RequestPlace,
  ): Principal {
    const name = `${issuer.settings.Name}/${subject}`;
    const known = this.#loginByName.get(name);
    const login = known?.issuer === issuer ? known : { issuer, expiresAt, principals: new Map<string, Principal>() };
    this.#loginByName.set(name, login);
    if (known !== login || expiresAt > login.expiresAt) {
      login.expiresAt = expiresAt;
      this.#startTimer();
    }
    const scopes = scopesOf(claims, issuer.settings);
    const profile = profileOf(claims, issuer.settings);
    const key = JSON.stringify([[...scopes], profile, urlProfile, metadataUrl]);
    const principal = login.principals.get(key);
    if (principal) return principal;
    if (login.principals.size >= MAX_PRINCIPALS) login.principals.clear();
    const identity: TokenIdentity = {
      ...{ issuer: issuer.settings.Name, subject, profile, urlProfile, metadataUrl },
      requestableName: (scope) => requestableName(scope, issuer.settings),
    };
    const profiles = [...this.#baseProfiles, profile, urlProfile].filter((one) => one !== undefined);
    const created = narrowPrincipal({ name, identity, scopes, profiles: [] }, profiles);
    login.principals.set(key, created);
    this.#loginOf.set(created, login);
    return created;
  }

  issuerOf(principal: Principal): TrustedIssuer | undefined {
    return this.#loginOf.get(principal)?.issuer;
  }

  /** True if the principal is that of a token, and all of its tokens have expired. */
  isExpired(principal: Principal): boolean {
    const login = this.#loginOf.get(principal);
    return login !== undefined && login.expiresAt <= Date.now();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Plans the end of expired logins for the time when the next one expires. */
  #startTimer(): void {
    clearTimeout(this.#timer);
    const expiries = [...this.#loginByName.values()].map(({ expiresAt }) => expiresAt - Date.now() + 1);
    const nextMs = Math.min(...expiries, this.#hasBusySessions ? BUSY_PAUSE_MS : Number.POSITIVE_INFINITY);
    if (nextMs === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.min(Math.max(nextMs, 1), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#endExpired(), delayMs).unref();
  }

  #endExpired(): void {
    const now = Date.now();
    for (const [name, { expiresAt }] of this.#loginByName) if (expiresAt <= now) this.#loginByName.delete(name);
    this.#hasBusySessions = this.#onExpired() > 0;
    this.#startTimer();
  }
}
