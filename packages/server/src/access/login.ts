import type { Principal } from '../core/principal.js';
import { narrowPrincipal } from './access.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The principals of one key: one without a URL profile, and one for each URL profile that was used. When the settings
 * change, the objects stay the same and get the new scopes and profiles, so that sessions continue
 * (docs/spec/access.md#settings-reload).
 */
export class Login {
  readonly #principal: Mutable<Principal>;
  readonly #byUrlProfile = new Map<string, Mutable<Principal>>();

  constructor(principal: Principal) {
    this.#principal = { ...principal };
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** Returns the principal for a URL profile. */
  at(profile: string): Principal {
    const known = this.#byUrlProfile.get(profile);
    if (known) return known;
    const principal = { ...narrowPrincipal(this.#principal, [profile]) };
    this.#byUrlProfile.set(profile, principal);
    return principal;
  }

  owns(principal: Principal): boolean {
    return principal === this.#principal || [...this.#byUrlProfile.values()].includes(principal);
  }

  /** Applies the scopes and profiles of reloaded settings to all principals of the key. */
  update({ scopes, profiles }: Pick<Principal, 'scopes' | 'profiles'>): void {
    Object.assign(this.#principal, { scopes, profiles });
    for (const [profile, principal] of this.#byUrlProfile) {
      Object.assign(principal, { scopes, profiles: narrowPrincipal(this.#principal, [profile]).profiles });
    }
  }

  /** Forgets the principals of URL profiles that no longer exist. {@link owns} is false for these principals. */
  keepProfiles(profiles: ReadonlySet<string>): void {
    for (const profile of this.#byUrlProfile.keys()) if (!profiles.has(profile)) this.#byUrlProfile.delete(profile);
  }
}
