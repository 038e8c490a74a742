import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PAGE_TOKEN_PREFIX } from '../core/page-names.js';
import { PAGE_NAME, type Principal } from '../core/principal.js';
import { SCOPES } from '../settings/access-settings.js';
import { narrowed } from './access.js';

/** How long the token waits for its first use, in milliseconds. */
const UNUSED_MS = 15 * 60_000;

/**
 * The key of `mortise workbench` (docs/spec/access.md#page-key): a token that is in an address once. The first tab that
 * sends it, with a secret of its own behind a dot, has it for as long as the process runs.
 */
export class PageKey {
  readonly token = `${PAGE_TOKEN_PREFIX}${randomBytes(24).toString('base64url')}`;
  readonly #expires = Date.now() + UNUSED_MS;
  readonly #principal: Principal;
  /** The digest of what the first tab has sent. */
  #bound: Buffer | undefined;

  /** @param profiles that restrict every principal */
  constructor(profiles: readonly string[]) {
    this.#principal = narrowed({ name: PAGE_NAME, scopes: new Set(SCOPES), profiles: [] }, profiles);
  }

  /**
   * @returns `refused` for a token of this kind that is wrong, too old or another tab's; undefined for any other key
   */
  find(key: string): Principal | 'refused' | undefined {
    if (!key.startsWith(PAGE_TOKEN_PREFIX)) return undefined;
    const [token = '', secret = ''] = key.split('.', 2);
    const digest = digestOf(key);
    if (this.#bound !== undefined) return timingSafeEqual(this.#bound, digest) ? this.#principal : 'refused';
    const isRight = timingSafeEqual(digestOf(token), digestOf(this.token));
    if (!isRight || secret === '' || Date.now() > this.#expires) return 'refused';
    this.#bound = digest;
    return this.#principal;
  }

  /** Who has it. */
  get principal(): Principal {
    return this.#principal;
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();
