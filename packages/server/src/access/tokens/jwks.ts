import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters } from 'jose';
import type { Issuer } from '../../settings/issuer-settings.js';
import { fetchMetadata, reasonOf } from './discover-issuer.js';
import { fetchJson } from './fetch-json.js';

/** Pause between two requests for the keys of one issuer. */
const PAUSE_MS = 30_000;
/** Keys that are older are fetched again before they are used, so that a revoked key stops being valid. */
const FRESH_MS = 5 * 60_000;
const MAX_KEYS = 100;

/** Thrown if no key can be used now, because the issuer cannot be reached. */
export class IssuerUnavailableError extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('The keys of the issuer cannot be fetched.');
  }
}

type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

interface JwksOptions {
  readonly maxAgeMs: number;
  /** Called with the reason when the keys could not be fetched. */
  readonly onFailure: (reason: string) => void;
}

/** The signing keys of one issuer, which are cached (docs/spec/tokens.md#jwks). */
export class Jwks {
  readonly #issuer: Issuer;
  readonly #options: JwksOptions;
  #findKey: FindKey | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #attempt: Promise<void> | undefined;

  constructor(issuer: Issuer, options: JwksOptions) {
    this.#issuer = issuer;
    this.#options = options;
  }

  /**
   * Returns the key that verifies a token.
   * @throws IssuerUnavailableError if the keys are too old, or the key is unknown and the issuer cannot be reached
   * @throws Error if there is no such key
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const { maxAgeMs } = this.#options;
    if (Date.now() - this.#fetchedAt >= Math.min(FRESH_MS, maxAgeMs)) await this.#refresh();
    if (this.#findKey === undefined || Date.now() - this.#fetchedAt >= maxAgeMs) throw this.#unavailable();
    try {
      return await this.#findKey(header, token);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
      await this.#refresh();
      if (this.#hasFailed) throw this.#unavailable();
      return this.#findKey(header, token);
    }
  }

  #unavailable(): IssuerUnavailableError {
    const waitMs = this.#attemptedAt + PAUSE_MS - Date.now();
    return new IssuerUnavailableError(Math.max(1, Math.ceil(waitMs / 1000)));
  }

  /** Fetches the keys, unless that was tried within the pause. */
  async #refresh(): Promise<void> {
    if (this.#attempt === undefined && Date.now() - this.#attemptedAt >= PAUSE_MS) {
      this.#attemptedAt = Date.now();
      this.#attempt = this.#fetch().finally(() => {
        this.#attempt = undefined;
      });
    }
    await this.#attempt;
  }

  async #fetch(): Promise<void> {
    try {
      const keys = checkedKeys(await fetchJson(this.#issuer.JwksUrl ?? (await this.#discoveredUrl())));
      const { createLocalJWKSet } = await import('jose');
      this.#findKey = createLocalJWKSet(keys) as FindKey;
      this.#fetchedAt = Date.now();
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      this.#options.onFailure(reasonOf(error));
    }
  }

  async #discoveredUrl(): Promise<string> {
    const { Issuer: issuer } = this.#issuer;
    const { jwks_uri: url } = await fetchMetadata(issuer);
    if (typeof url !== 'string' || !URL.canParse(url)) throw new Error('the metadata of the issuer have no jwks_uri');
    if (new URL(url).origin !== new URL(issuer).origin) {
      throw new Error(`the keys are on another host: set JwksUrl to ${url} if they are those of the issuer`);
    }
    return url;
  }
}

/** Returns the keys that can verify a token. Symmetric keys are left out: they would have to be secret. */
function checkedKeys(value: unknown): JSONWebKeySet {
  const keys = typeof value === 'object' && value !== null ? Reflect.get(value, 'keys') : undefined;
  if (!Array.isArray(keys)) throw new Error('the response has no list of keys');
  if (keys.length > MAX_KEYS) throw new Error(`the response has more than ${MAX_KEYS} keys`);
  const usable = keys.filter((key) => typeof key === 'object' && key !== null && key.kty !== 'oct');
  return { keys: usable };
}
