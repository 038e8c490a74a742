import { createHash } from 'node:crypto';
import type { Log } from '../log/log.js';
import {
  MAX_VALUE_CHARS,
  type StateKey,
  type StateStore,
  StateTooLargeError,
  StateUnavailableError,
} from './state-store.js';

/** The format of a stored output. Raise it for a change that an earlier version would misread. */
const FORMAT = 1;
/** The limit of all outputs of a principal together. */
const MAX_CHARS = MAX_VALUE_CHARS;

/** A stored output, which every replica can read. `M` is the type of its files. */
export interface SharedOutput<M> {
  readonly text: string;
  readonly media: readonly M[];
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

export interface SharedOutputsOptions {
  readonly store: StateStore;
  readonly keepMs: number;
  readonly log: Pick<Log, 'warn'>;
}

/** The stored outputs of all replicas, by principal (docs/spec/shared.md#outputs). */
export class SharedOutputs {
  readonly #options: SharedOutputsOptions;
  #isFailing = false;

  constructor(options: SharedOutputsOptions) {
    this.#options = options;
  }

  /** Stores an output for the other replicas. If it cannot be stored, the log says so. Never rejects. */
  async put<M>(owner: string, id: string, output: SharedOutput<M>): Promise<void> {
    const { store, keepMs } = this.#options;
    try {
      const value = JSON.stringify({ format: FORMAT, owner, ...output });
      await store.put(keyOf(owner), id, value, { ttlMs: keepMs, maxChars: MAX_CHARS });
      this.#isFailing = false;
    } catch (error) {
      if (!(error instanceof StateUnavailableError) && !(error instanceof StateTooLargeError)) throw error;
      this.#warn(error);
    }
  }

  /**
   * Returns an output of this principal; undefined if no replica has stored it, or it has expired.
   * @throws StateUnavailableError
   */
  async get<M>(owner: string, id: string): Promise<SharedOutput<M> | undefined> {
    const value = await this.#options.store.find(keyOf(owner), id);
    if (value === undefined) return undefined;
    const { format, owner: storedFor, ...output } = JSON.parse(value) as StoredRecord<M>;
    if (format !== FORMAT) throw new StateUnavailableError('another version of Mortise has written it');
    return storedFor === owner ? output : undefined;
  }

  #warn({ message }: Error): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.log.warn('A stored output can be read only at this replica, because it could not be shared', {
      reason: message,
    });
  }
}

interface StoredRecord<M> extends SharedOutput<M> {
  readonly format: number;
  readonly owner: string;
}

/** Hashes the name, because the names of principals can contain braces, which a key must not. */
const keyOf = (owner: string): StateKey => ({
  group: `outputs:${createHash('sha256').update(owner).digest('base64url')}`,
  name: 'outputs',
});
