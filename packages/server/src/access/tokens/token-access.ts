import type { Principal } from '../../core/principal.js';
import type { Log } from '../../log/log.js';
import type { Settings } from '../../settings/settings.js';
import { profileNames } from '../access.js';
import { checkToken, TokenRefusedError, type TrustedIssuer } from './check-token.js';
import { IssuerUnavailableError, Jwks } from './jwks.js';
import { requestableName } from './token-claims.js';
import { type RequestPlace, TokenLogins } from './token-logins.js';

type TokenSettings = Pick<Settings, 'Auth' | 'Http' | 'Profiles'>;

export interface TokenAccessOptions {
  readonly log: Log;
  /** Profiles that restrict every principal. */
  readonly profiles: readonly string[];
  /**
   * Called when tokens have expired. It ends the sessions of principals for which {@link TokenAccess.isExpired} is
   * true, and returns how many could not be ended yet because they have running calls.
   */
  readonly onExpired: () => number;
}

/** Why a token was refused. `retryAfterSeconds` is set if its issuer cannot be reached. */
export interface TokenRefusal {
  readonly reason: string;
  readonly retryAfterSeconds?: number;
}

/** The issuers of `Auth.Issuers`, and the principals of their tokens (docs/spec/tokens.md#issuers). */
export class TokenAccess {
  readonly #log: Log;
  readonly #logins: TokenLogins;
  #issuers: ReadonlyMap<string, TrustedIssuer> = new Map();
  #profiles: ReadonlySet<string> = new Set();
  #maxAgeMinutes = 0;
  #publicUrl = '';

  constructor(settings: TokenSettings, { log, profiles, onExpired }: TokenAccessOptions) {
    this.#log = log;
    this.#logins = new TokenLogins(profiles, onExpired);
    this.update(settings);
  }

  /** Applies reloaded settings. If those of an issuer have changed, the principals of its tokens become invalid. */
  update(settings: TokenSettings): void {
    const { Issuers, JwksMaxAgeMinutes } = settings.Auth;
    const isSameAge = this.#maxAgeMinutes === JwksMaxAgeMinutes;
    this.#maxAgeMinutes = JwksMaxAgeMinutes;
    const maxAgeMs = JwksMaxAgeMinutes * 60_000;
    const toTrusted = (issuer: (typeof Issuers)[number]): TrustedIssuer => {
      const known = this.#issuers.get(issuer.Issuer);
      if (known && isSameAge && JSON.stringify(known.settings) === JSON.stringify(issuer)) return known;
      const onFailure = (reason: string) =>
        this.#log.warn('The keys of an issuer could not be fetched', { issuer: issuer.Name, reason });
      return { settings: issuer, jwks: new Jwks(issuer, { maxAgeMs, onFailure }) };
    };
    this.#issuers = new Map(Issuers.map((issuer) => [issuer.Issuer, toTrusted(issuer)]));
    this.#profiles = new Set(profileNames(settings));
    this.#publicUrl = settings.Http.PublicUrl;
  }

  /** True if there are issuers. A reload can remove the last one. */
  get isActive(): boolean {
    return this.#issuers.size > 0;
  }

  /** The number of users and programs with a valid token. */
  get loginCount(): number {
    return this.#logins.size;
  }

  get publicUrl(): string {
    return this.#publicUrl;
  }

  get issuerUrls(): string[] {
    return [...this.#issuers.keys()];
  }

  /** The name of the scope that a client should request first; undefined if the issuers do not agree on one. */
  get firstScope(): string | undefined {
    const names = new Set([...this.#issuers.values()].map(({ settings }) => requestableName('mortise:read', settings)));
    return names.size === 1 ? [...names][0] : undefined;
  }

  /** Returns the principal of a token, or why it is refused. */
  async login(token: string, place: RequestPlace): Promise<Principal | TokenRefusal> {
    try {
      return this.#logins.principalOf(await checkToken(token, (url) => this.#issuers.get(url)), place);
    } catch (error) {
      if (error instanceof IssuerUnavailableError) {
        return { reason: error.message, retryAfterSeconds: error.retryAfterSeconds };
      }
      if (error instanceof TokenRefusedError) return { reason: error.message };
      throw error;
    }
  }

  /** True if the issuer and the URL profile of the principal are still in the settings. */
  isValid(principal: Principal): boolean {
    const issuer = this.#logins.issuerOf(principal);
    const urlProfile = principal.identity?.urlProfile;
    const isTrusted = issuer !== undefined && this.#issuers.get(issuer.settings.Issuer) === issuer;
    return isTrusted && (urlProfile === undefined || this.#profiles.has(urlProfile));
  }

  isExpired(principal: Principal): boolean {
    return this.#logins.isExpired(principal);
  }

  hasProfile(name: string): boolean {
    return this.#profiles.has(name);
  }

  close(): void {
    this.#logins.close();
  }
}
