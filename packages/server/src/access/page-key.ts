import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PAGE_TOKEN_PREFIX } from '../core/page-names.js';
import { PAGE_NAME, type Principal } from '../core/principal.js';
import { SCOPES } from '../settings/access-settings.js';
import { narrowPrincipal } from './access.js';

/** A token expires if no tab uses it within this time. */
const FIRST_USE_MS = 15 * 60_000;

/**
 * The key of `mortise workbench` (docs/spec/access.md#page-key). Its token is in the address that the command opens. A
 * tab sends the token, a dot, and a secret of its own. The first tab that does so owns the token as long as the process
 * runs.
 */
export class PageKey {
  readonly token = `${PAGE_TOKEN_PREFIX}${randomBytes(24).toString('base64url')}`;
  readonly #expiresAt = Date.now() + FIRST_USE_MS;
  readonly #principal: Principal;
  /** The digest of the key that the first tab sent. */
  #tabDigest: Buffer | undefined;

  /** @param profiles restrict the page's principal */
  constructor(profiles: readonly string[]) {
    this.#principal = narrowPrincipal({ name: PAGE_NAME, scopes: new Set(SCOPES), profiles: [] }, profiles);
  }

  /** @returns `refused` for a page key that is wrong, expired, or of another tab; undefined for any other key */
  find(key: string): Principal | 'refused' | undefined {
    if (!key.startsWith(PAGE_TOKEN_PREFIX)) return undefined;
    const [token = '', secret = ''] = key.split('.', 2);
    const digest = digestOf(key);
    if (this.#tabDigest !== undefined) return timingSafeEqual(this.#tabDigest, digest) ? this.#principal : 'refused';
    const isToken = timingSafeEqual(digestOf(token), digestOf(this.token));
    if (!isToken || secret === '' || Date.now() > this.#expiresAt) return 'refused';
    this.#tabDigest = digest;
    return this.#principal;
  }

  get principal(): Principal {
    return this.#principal;
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();
