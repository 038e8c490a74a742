import { createHash, timingSafeEqual } from 'node:crypto';
import { LOOPBACK, type Principal } from '../core/principal.js';
import { hashOf } from '../settings/check-access.js';
import { parseExpiry } from '../settings/key-expiry.js';
import type { Settings } from '../settings/settings.js';
import { narrowed, profileNames } from './access.js';
import type { PageKey } from './page-key.js';

type KeySettings = Pick<Settings, 'Auth' | 'Profiles'>;

interface Entry {
  /** Of the settings; an entry of another text is another key. */
  readonly text: string;
  readonly digest: Buffer;
  readonly principal: Principal;
  /** In milliseconds since 1970. */
  readonly expires: number;
  /** By the profile of the URL. */
  readonly narrowed: Map<string, Principal>;
}

/** Longer timers of Node fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** The valid keys, and the principals that they are (docs/spec/access.md#keys). */
export class KeyRing {
  #profiles: ReadonlySet<string>;
  readonly #base: readonly string[];
  readonly #onRevoked: () => void;
  readonly #pageKey: PageKey | undefined;
  readonly #loopback = new Map<string, Principal>();
  #entries: readonly Entry[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param base profiles that restrict every principal
   * @param onRevoked called when a key is no longer valid: {@link isValid} says of whom
   * @param pageKey that of `mortise workbench`, in addition
   */
  constructor(settings: KeySettings, base: readonly string[], onRevoked: () => void, pageKey?: PageKey) {
    this.#pageKey = pageKey;
    this.#profiles = new Set(profileNames(settings));
    this.#base = base;
    this.#onRevoked = onRevoked;
    this.#entries = settings.Auth.Keys.map((key) => this.#toEntry(key));
    this.#startTimer();
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Takes over the keys of settings that were read again. */
  update(settings: KeySettings): void {
    const known = new Map(this.#entries.map((entry) => [entry.text, entry]));
    this.#profiles = new Set(profileNames(settings));
    this.#entries = settings.Auth.Keys.map((key) => known.get(JSON.stringify(key)) ?? this.#toEntry(key));
    this.#startTimer();
    this.#onRevoked();
  }

  /** The principal of a key; all keys are compared, each in constant time. */
  find(key: string): Principal | undefined {
    const digest = createHash('sha256').update(key).digest();
    const [found] = this.#entries.filter((entry) => timingSafeEqual(entry.digest, digest));
    return found && found.expires > Date.now() ? found.principal : undefined;
  }

  /** The principal of the key of the page; `refused` for one that is not valid, undefined for another key. */
  findPage(key: string): Principal | 'refused' | undefined {
    return this.#pageKey?.find(key);
  }

  /** A client without a key, while there are no keys. */
  loopback(): Principal {
    return this.#kept(this.#loopback, narrowed(LOOPBACK, this.#base), '');
  }

  /** The principal narrowed by the profile of a URL; undefined for a profile that does not exist. */
  narrowed(principal: Principal, profile: string): Principal | undefined {
    if (!this.#profiles.has(profile)) return undefined;
    const cache = this.#entries.find((entry) => entry.principal === principal)?.narrowed ?? this.#loopback;
    return this.#kept(cache, narrowed(principal, [profile]), profile);
  }

  isValid(principal: Principal): boolean {
    if (this.#pageKey?.owns(principal)) return true;
    if (principal.keyName === undefined) return this.isEmpty;
    const entry = this.#entries.find(({ principal: own }) => own.keyName === principal.keyName);
    if (!entry || entry.expires <= Date.now()) return false;
    return entry.principal === principal || [...entry.narrowed.values()].includes(principal);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** The same object each time. */
  #kept(cache: Map<string, Principal>, principal: Principal, profile: string): Principal {
    const kept = cache.get(profile) ?? principal;
    cache.set(profile, kept);
    return kept;
  }

  #toEntry(key: KeySettings['Auth']['Keys'][number]): Entry {
    const { Name, Profile, Scopes, Expires } = key;
    const own: Principal = { name: Name, keyName: Name, scopes: new Set(Scopes), profiles: [] };
    return {
      text: JSON.stringify(key),
      digest: Buffer.from(hashOf(key), 'hex'),
      principal: narrowed(own, Profile === undefined ? this.#base : [...this.#base, Profile]),
      expires: Expires === undefined ? Number.POSITIVE_INFINITY : parseExpiry(Expires)!,
      narrowed: new Map(),
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
