import { createHash, timingSafeEqual } from 'node:crypto';
import { LOOPBACK, type Principal } from '../core/principal.js';
import type { AccessKey } from '../settings/access-settings.js';
import { hashOf } from '../settings/check-access.js';
import { parseExpiry } from '../settings/key-expiry.js';
import { MAX_TIMER_MS } from '../settings/setting-schema.js';
import type { Settings } from '../settings/settings.js';
import { narrowed, profileNames } from './access.js';
import { Login } from './login.js';
import type { PageKey } from './page-key.js';

type KeySettings = Pick<Settings, 'Auth' | 'Profiles'>;

/** A key of the settings. Another secret is another key, also under the same name. */
interface Entry {
  readonly digest: Buffer;
  readonly login: Login;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

/** The valid keys, and the principals that they are (docs/spec/access.md#keys). */
export class KeyRing {
  #profiles: ReadonlySet<string>;
  readonly #base: readonly string[];
  readonly #onRevoked: () => void;
  readonly #pageKey: PageKey | undefined;
  readonly #pageLogin: Login | undefined;
  readonly #loopback: Login;
  #entries: readonly Entry[] = [];
  #isOpen: boolean;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param base profiles that restrict every principal
   * @param onRevoked called when a key is no longer valid: {@link isValid} says of whom
   * @param pageKey that of `mortise workbench`, in addition
   */
  constructor(settings: KeySettings, base: readonly string[], onRevoked: () => void, pageKey?: PageKey) {
    this.#pageKey = pageKey;
    this.#pageLogin = pageKey && new Login(pageKey.principal);
    this.#loopback = new Login(narrowed(LOOPBACK, base));
    this.#profiles = new Set(profileNames(settings));
    this.#base = base;
    this.#onRevoked = onRevoked;
    this.#entries = settings.Auth.Keys.map((key) => this.#toEntry(key));
    this.#isOpen = this.#entries.length === 0;
    this.#startTimer();
  }

  /** Whether clients need no key. Once there were keys, it stays false until the server starts again. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Takes over the keys and profiles of settings that were read again (docs/spec/access.md#settings-reload). */
  update(settings: KeySettings): void {
    this.#profiles = new Set(profileNames(settings));
    this.#entries = settings.Auth.Keys.map((key) => this.#toEntry(key));
    this.#isOpen &&= this.#entries.length === 0;
    for (const login of this.#logins()) login.keepProfiles(this.#profiles);
    this.#startTimer();
    this.#onRevoked();
  }

  /** The principal of a key; all keys are compared, each in constant time. */
  find(key: string): Principal | undefined {
    const digest = createHash('sha256').update(key).digest();
    const [found] = this.#entries.filter((entry) => timingSafeEqual(entry.digest, digest));
    return found && found.expires > Date.now() ? found.login.principal : undefined;
  }

  /** The principal of the key of the page; `refused` for one that is not valid, undefined for another key. */
  findPage(key: string): Principal | 'refused' | undefined {
    const found = this.#pageKey?.find(key);
    return typeof found === 'object' ? this.#pageLogin!.principal : found;
  }

  /** A client without a key, while there are no keys. */
  loopback(): Principal {
    return this.#loopback.principal;
  }

  /** The principal narrowed by the profile of a URL; undefined for a profile that does not exist. */
  narrowed(principal: Principal, profile: string): Principal | undefined {
    if (!this.#profiles.has(profile)) return undefined;
    return this.#logins()
      .find((login) => login.owns(principal))
      ?.at(profile);
  }

  isValid(principal: Principal): boolean {
    return this.#logins().some((login) => login.owns(principal));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Those that are valid now. */
  #logins(): Login[] {
    const now = Date.now();
    const ofKeys = this.#entries.filter(({ expires }) => expires > now).map(({ login }) => login);
    return [...ofKeys, ...(this.#pageLogin ? [this.#pageLogin] : []), ...(this.#isOpen ? [this.#loopback] : [])];
  }

  /**
   * The key as it is in the settings now; what it was before, with its sessions, where only its rights have changed.
   */
  #toEntry(key: AccessKey): Entry {
    const { Name, Profile, Scopes, Expires } = key;
    const digest = Buffer.from(hashOf(key), 'hex');
    const own: Principal = { name: Name, keyName: Name, scopes: new Set(Scopes), profiles: [] };
    const principal = narrowed(own, Profile === undefined ? this.#base : [...this.#base, Profile]);
    const known = this.#entries.find(
      ({ login, digest: other }) => login.principal.name === Name && other.equals(digest),
    );
    known?.login.update(principal);
    return {
      digest,
      login: known?.login ?? new Login(principal),
      expires: Expires === undefined ? Number.POSITIVE_INFINITY : parseExpiry(Expires)!,
    };
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const next = Math.min(...this.#entries.map(({ expires }) => expires).filter((expires) => expires > Date.now()));
    if (next === Number.POSITIVE_INFINITY) return;
    const look = () => {
      this.#onRevoked();
      this.#startTimer();
    };
    this.#timer = setTimeout(look, Math.min(next - Date.now() + 1, MAX_TIMER_MS)).unref();
  }
}
