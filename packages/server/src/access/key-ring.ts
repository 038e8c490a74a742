import { createHash, timingSafeEqual } from 'node:crypto';
import { LOOPBACK, type Principal } from '../core/principal.js';
import type { AccessKey } from '../settings/access-settings.js';
import { hashOf } from '../settings/check-access.js';
import { parseExpiry } from '../settings/key-expiry.js';
import { MAX_TIMER_MS } from '../settings/setting-schema.js';
import type { Settings } from '../settings/settings.js';
import type { RemovedKeys } from '../state/removed-keys.js';
import { narrowPrincipal, profileNames } from './access.js';
import { Login } from './login.js';
import type { PageKey } from './page-key.js';

type KeySettings = Pick<Settings, 'Auth' | 'Profiles'>;

export interface KeyRingOptions {
  /** Profiles that restrict every principal. */
  readonly baseProfiles: readonly string[];
  /** Called when keys may have become invalid; ask {@link KeyRing.isValid} for each principal. */
  onRevoked(): void;
  /** The key of `mortise workbench`. */
  readonly pageKey?: PageKey | undefined;
  /** The keys that reloads of other replicas have removed. */
  readonly removedKeys?: Pick<RemovedKeys, 'has' | 'update' | 'onChange'> | undefined;
}

/** A key in the settings. If the secret of a key changes, it is another key, even under the same name. */
interface Entry {
  readonly digest: Buffer;
  readonly login: Login;
  /** Milliseconds since 1970; Infinity for a key that does not expire. */
  readonly expiresAt: number;
}

/** The keys and the principals that they identify (docs/spec/access.md#keys). */
export class KeyRing {
  #profiles: ReadonlySet<string>;
  readonly #baseProfiles: readonly string[];
  readonly #onRevoked: () => void;
  readonly #removedKeys: KeyRingOptions['removedKeys'];
  readonly #stopChanges: (() => void) | undefined;
  readonly #pageKey: PageKey | undefined;
  readonly #pageLogin: Login | undefined;
  readonly #loopback: Login;
  #entries: readonly Entry[] = [];
  #isOpen: boolean;
  #expiryTimer: NodeJS.Timeout | undefined;

  constructor(settings: KeySettings, { baseProfiles, onRevoked, pageKey, removedKeys }: KeyRingOptions) {
    this.#removedKeys = removedKeys;
    this.#stopChanges = removedKeys?.onChange(onRevoked);
    this.#pageKey = pageKey;
    this.#pageLogin = pageKey && new Login(pageKey.principal);
    this.#loopback = new Login(narrowPrincipal(LOOPBACK, baseProfiles));
    this.#profiles = new Set(profileNames(settings));
    this.#baseProfiles = baseProfiles;
    this.#onRevoked = onRevoked;
    this.#entries = settings.Auth.Keys.map((key) => this.#toEntry(key));
    this.#isOpen = needsNoCredential(settings);
    this.#startExpiryTimer();
  }

  /**
   * True if clients need neither a key nor a token. If a reload removes all keys and issuers, this stays false until the
   * server restarts.
   */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Applies the keys and profiles of reloaded settings (docs/spec/access.md#settings-reload).
   * @returns the names of the keys that were added and removed; a key with another secret is both
   */
  update(settings: KeySettings): { added: string[]; removed: string[] } {
    const before = this.#entries;
    this.#profiles = new Set(profileNames(settings));
    this.#entries = settings.Auth.Keys.map((key) => this.#toEntry(key));
    const after = this.#entries;
    this.#isOpen &&= needsNoCredential(settings);
    this.#removedKeys?.update({ added: hashesOfOthers(after, before), removed: hashesOfOthers(before, after) });
    for (const login of this.#validLogins()) login.keepProfiles(this.#profiles);
    this.#startExpiryTimer();
    this.#onRevoked();
    return { added: namesOfOthers(after, before), removed: namesOfOthers(before, after) };
  }

  /** Returns the principal of a valid key. Compares all keys, each in constant time. */
  find(key: string): Principal | undefined {
    const digest = createHash('sha256').update(key).digest();
    const [entry] = this.#entries.filter((candidate) => timingSafeEqual(candidate.digest, digest));
    return entry && this.#isUsable(entry) ? entry.login.principal : undefined;
  }

  /** The names of the keys that are in the settings, and that a reload of another replica has removed. */
  get removedElsewhere(): string[] {
    return this.#entries.filter((entry) => this.#isRemoved(entry)).map(({ login }) => login.principal.name);
  }

  /** Returns the principal of a page key, `refused` for an invalid page key, or undefined for any other key. */
  findPage(key: string): Principal | 'refused' | undefined {
    const found = this.#pageKey?.find(key);
    return typeof found === 'object' ? this.#pageLogin!.principal : found;
  }

  /** Returns the principal of clients without a key, for a server without keys. */
  loopback(): Principal {
    return this.#loopback.principal;
  }

  /** Adds the profile of a URL to a principal. @returns undefined if the profile does not exist */
  narrow(principal: Principal, profile: string): Principal | undefined {
    if (!this.#profiles.has(profile)) return undefined;
    return this.#validLogins()
      .find((login) => login.owns(principal))
      ?.at(profile);
  }

  isValid(principal: Principal): boolean {
    return this.#validLogins().some((login) => login.owns(principal));
  }

  close(): void {
    clearTimeout(this.#expiryTimer);
    this.#stopChanges?.();
  }

  #isRemoved({ digest }: Entry): boolean {
    return this.#removedKeys?.has(digest.toString('hex')) ?? false;
  }

  #isUsable(entry: Entry): boolean {
    return entry.expiresAt > Date.now() && !this.#isRemoved(entry);
  }

  #validLogins(): Login[] {
    const ofKeys = this.#entries.filter((entry) => this.#isUsable(entry)).map(({ login }) => login);
    return [...ofKeys, ...(this.#pageLogin ? [this.#pageLogin] : []), ...(this.#isOpen ? [this.#loopback] : [])];
  }

  /**
   * Creates the entry of a key in the settings. A known key keeps its login, and so its sessions, with the new rights.
   */
  #toEntry(key: AccessKey): Entry {
    const { Name, Profile, Scopes, Expires } = key;
    const digest = Buffer.from(hashOf(key), 'hex');
    const unrestricted: Principal = { name: Name, keyName: Name, scopes: new Set(Scopes), profiles: [] };
    const principal = narrowPrincipal(
      unrestricted,
      Profile === undefined ? this.#baseProfiles : [...this.#baseProfiles, Profile],
    );
    const known = this.#entries.find((entry) => entry.login.principal.name === Name && entry.digest.equals(digest));
    known?.login.update(principal);
    return {
      digest,
      login: known?.login ?? new Login(principal),
      expiresAt: Expires === undefined ? Number.POSITIVE_INFINITY : parseExpiry(Expires)!,
    };
  }

  /** Calls `onRevoked` when the next key expires. */
  #startExpiryTimer(): void {
    clearTimeout(this.#expiryTimer);
    const now = Date.now();
    const nextExpiry = Math.min(...this.#entries.map(({ expiresAt }) => expiresAt).filter((time) => time > now));
    if (nextExpiry === Number.POSITIVE_INFINITY) return;
    const onTime = () => {
      this.#onRevoked();
      this.#startExpiryTimer();
    };
    this.#expiryTimer = setTimeout(onTime, Math.min(nextExpiry - now + 1, MAX_TIMER_MS)).unref();
  }
}

const needsNoCredential = ({ Auth }: KeySettings) => Auth.Keys.length === 0 && Auth.Issuers.length === 0;

/** The names of the entries whose login is not in the other list. */
function namesOfOthers(entries: readonly Entry[], others: readonly Entry[]): string[] {
  const known = new Set(others.map(({ login }) => login));
  return entries.filter(({ login }) => !known.has(login)).map(({ login }) => login.principal.name);
}

/** The SHA-256 of the entries' keys that are not in the other list. */
function hashesOfOthers(entries: readonly Entry[], others: readonly Entry[]): string[] {
  const known = new Set(others.map(({ digest }) => digest.toString('hex')));
  return entries.map(({ digest }) => digest.toString('hex')).filter((sha256) => !known.has(sha256));
}
