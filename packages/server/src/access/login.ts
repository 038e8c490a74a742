import type { Principal } from '../core/principal.js';
import { narrowed } from './access.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The principals of one key: its own, and one for each profile of a URL. The objects stay the same while their scopes
 * and profiles change with the settings, so that sessions continue (docs/spec/access.md#settings-reload).
 */
export class Login {
  readonly #principal: Mutable<Principal>;
  /** By the profile of the URL. */
  readonly #atUrls = new Map<string, Mutable<Principal>>();

  constructor(principal: Principal) {
    this.#principal = { ...principal };
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** The principal narrowed by the profile of a URL. */
  at(profile: string): Principal {
    const known = this.#atUrls.get(profile);
    if (known) return known;
    const principal = { ...narrowed(this.#principal, [profile]) };
    this.#atUrls.set(profile, principal);
    return principal;
  }

  /** Whether the principal is one of these. */
  owns(principal: Principal): boolean {
    return principal === this.#principal || [...this.#atUrls.values()].includes(principal);
  }

  /** Takes over scopes and profiles of settings that were read again. */
  update({ scopes, profiles }: Pick<Principal, 'scopes' | 'profiles'>): void {
    Object.assign(this.#principal, { scopes, profiles });
    for (const [profile, principal] of this.#atUrls) {
      Object.assign(principal, { scopes, profiles: narrowed(this.#principal, [profile]).profiles });
    }
  }

  /** Forgets the principals of URLs whose profile no longer exists: {@link owns} is false for them. */
  keepProfiles(profiles: ReadonlySet<string>): void {
    for (const profile of this.#atUrls.keys()) if (!profiles.has(profile)) this.#atUrls.delete(profile);
  }
}
