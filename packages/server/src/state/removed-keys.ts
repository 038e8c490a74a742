import { MAX_MEMBERS, type StateKey, type StateStore, StateUnavailableError } from './state-store.js';

const KEY: StateKey = { group: 'keys', name: 'removed' };
const CHANNEL = 'removed-keys';
/** Replicas whose settings are older than this accept a removed key again when they are started. */
const KEEP_MS = 30 * 24 * 3_600_000;
/** The interval at which changes are read whose message was lost. */
const REFRESH_MS = 10_000;

/** The format of a member's text. Raise it for a change that an earlier version would misread. */
const FORMAT = '1';
const MEMBER = new RegExp(`^${FORMAT} (removed|added) ([0-9a-f]{64}) (\\d+)$`);

/** The latest change of a key. */
interface KeyChange {
  readonly isRemoved: boolean;
  /** Milliseconds since 1970, by the clock of the replica that was reloaded. */
  readonly at: number;
}

/** The keys that a reload of this replica has added and removed, by their SHA-256. */
export interface KeyChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The access keys that reloads have removed, at this replica and at others (docs/spec/shared.md#removed-keys). The set
 * in the store has one member for each change; the copy here has the latest change of each key, so that a request needs
 * no operation on the store.
 */
export class RemovedKeys {
  readonly #store: StateStore;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  #changes = new Map<string, KeyChange>();

  private constructor(store: StateStore) {
    this.#store = store;
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS).unref();
  }

  /** Resolves when the keys are read, or the store cannot be used. */
  static async open(store: StateStore): Promise<RemovedKeys> {
    const keys = new RemovedKeys(store);
    await store.subscribe(CHANNEL, () => void keys.refresh());
    await keys.refresh();
    return keys;
  }

  /** @param sha256 in lower-case hexadecimal digits */
  has(sha256: string): boolean {
    return this.#changes.get(sha256)?.isRemoved ?? false;
  }

  /** Calls the listener when the result of {@link has} may have changed. @returns a function that removes the listener */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells all replicas of a reload: as soon as the store can be used. */
  update({ added, removed }: KeyChanges): void {
    const change = (sha256: string, isRemoved: boolean) => {
      // The change must be later than the last one, even if the clock of that replica is ahead of this one's.
      const at = Math.max(Date.now(), (this.#changes.get(sha256)?.at ?? 0) + 1);
      return textOf(sha256, { isRemoved, at });
    };
    const texts = [
      ...removed.filter((sha256) => !this.has(sha256)).map((sha256) => change(sha256, true)),
      ...added.filter((sha256) => this.has(sha256)).map((sha256) => change(sha256, false)),
    ];
    if (texts.length === 0) return;
    this.#merge(texts);
    void this.refresh();
  }

  /** Reads the changes of other replicas, and writes those that the store does not have. Never rejects. */
  async refresh(): Promise<void> {
    try {
      const stored = await this.#store.members(KEY);
      this.#merge(stored);
      const missing = [...this.#changes].filter(([sha256, change]) => !stored.includes(textOf(sha256, change)));
      for (const [sha256, change] of missing)
        await this.#store.join(KEY, textOf(sha256, change), Math.max(1, change.at + KEEP_MS - Date.now()));
      if (missing.length > 0) await this.#store.publish(CHANNEL, FORMAT);
    } catch (error) {
      // The connection has logged the error.
      if (!(error instanceof StateUnavailableError)) throw error;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Adds changes of keys. Of each key the latest change is kept, and of all keys the MAX_MEMBERS latest changes. */
  #merge(texts: readonly string[]): void {
    const before = this.#changes;
    const changes = new Map(before);
    for (const text of texts) {
      // A text in another format, which another version of Mortise has written, is ignored.
      const [, kind, sha256 = '', at] = MEMBER.exec(text) ?? [];
      if (Number(at) > (changes.get(sha256)?.at ?? 0))
        changes.set(sha256, { isRemoved: kind === 'removed', at: Number(at) });
    }
    const oldest = Date.now() - KEEP_MS;
    const latest = [...changes].filter(([, { at }]) => at > oldest).sort(([, a], [, b]) => b.at - a.at);
    this.#changes = new Map(latest.slice(0, MAX_MEMBERS));
    const isSame = [...new Set([...before.keys(), ...this.#changes.keys()])].every(
      (sha256) => before.get(sha256)?.isRemoved === this.#changes.get(sha256)?.isRemoved,
    );
    if (!isSame) for (const listener of this.#listeners) listener();
  }
}

const textOf = (sha256: string, { isRemoved, at }: KeyChange): string =>
  `${FORMAT} ${isRemoved ? 'removed' : 'added'} ${sha256} ${at}`;
