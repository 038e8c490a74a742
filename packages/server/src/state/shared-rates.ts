import { createHash } from 'node:crypto';
import type { Log } from '../log/log.js';
import type { Presence } from './presence.js';
import { type Bucket, type StateStore, StateUnavailableError } from './state-store.js';

export interface SharedRatesOptions {
  readonly store: StateStore;
  readonly presence: Pick<Presence, 'count'>;
  /** The treatment of a limited call while the store cannot be used (`State.OnFailure`). */
  readonly onFailure: 'local' | 'refuse';
  readonly log: Pick<Log, 'warn'>;
}

/** The token buckets of principals, from which all replicas take tokens (docs/spec/shared.md#limits). */
export class SharedRates {
  readonly onFailure: 'local' | 'refuse';
  readonly #options: SharedRatesOptions;
  #isFailing = false;

  constructor(options: SharedRatesOptions) {
    this.#options = options;
    this.onFailure = options.onFailure;
  }

  /** The number of replicas that share a limit. */
  get replicas(): number {
    return this.#options.presence.count;
  }

  /**
   * Takes a token from the bucket of a principal.
   * @returns 0 if the call may run, the milliseconds to wait if not, or undefined if the store cannot be used
   */
  async take(principal: string, bucket: Bucket): Promise<number | undefined> {
    try {
      const waitMs = await this.#options.store.take(keyOf(principal), bucket);
      this.#isFailing = false;
      return waitMs;
    } catch (error) {
      if (!(error instanceof StateUnavailableError)) throw error;
      this.#warn();
      return undefined;
    }
  }

  #warn(): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { log, onFailure } = this.#options;
    const consequence =
      onFailure === 'local'
        ? "each replica allows its own share of a caller's rate"
        : 'calls of limited callers are refused';
    log.warn(`While the shared state cannot be used, ${consequence}`, { replicas: this.replicas });
  }
}

/** Hashes the name, because the names of principals can contain braces, which a key must not. */
const keyOf = (principal: string) => ({
  group: `rate:${createHash('sha256').update(principal).digest('base64url')}`,
  name: 'bucket',
});
