import { TokenBucket } from '../util/token-bucket.js';
import {
  type Announcement,
  type AppendOptions,
  type Bucket,
  type CollectionBounds,
  checkSize,
  type Lifetime,
  MAX_COLLECTION_VALUES,
  MAX_LIST_VALUES,
  MAX_MEMBERS,
  type StateEntry,
  type StateKey,
  type StateStore,
  type TakeOverOptions,
  type WriteOptions,
  type WriteResult,
} from './state-store.js';

interface Item {
  value: string;
  token: number;
  /** On the clock of `Date.now()`. undefined: the entry can never be taken over. */
  leaseEndsAt: number | undefined;
  /** When the entry can be taken over. undefined: nobody has tried that since its lease ended. */
  doubtEndsAt?: number;
  list: string[];
  expiresAt: number;
}

interface CollectionItem {
  readonly id: string;
  readonly value: string;
  /** On the clock of `Date.now()`. */
  readonly expiresAt: number;
}

/** Keeps state in this process. */
export class MemoryStateStore implements StateStore {
  readonly problem = undefined;
  readonly #items = new Map<string, Item>();
  readonly #buckets = new Map<string, TokenBucket>();
  /** The values of each collection, the latest one first. */
  readonly #collections = new Map<string, readonly CollectionItem[]>();
  /** The time at which each member expires, by set and member. */
  readonly #sets = new Map<string, Map<string, number>>();
  readonly #listeners = new Map<string, Set<(message: string) => void>>();

  async get(key: StateKey): Promise<StateEntry | undefined> {
    const item = this.#find(key);
    return item && { value: item.value, token: item.token, isLeased: !isLeaseOver(item) };
  }

  async create(key: StateKey, value: string, lifetime: Lifetime): Promise<boolean> {
    checkSize(value);
    if (this.#find(key)) return false;
    this.#set(key, { value, token: 1, ...endsOf(lifetime) });
    return true;
  }

  async write(key: StateKey, token: number, value: string, options: WriteOptions): Promise<WriteResult> {
    checkSize(value);
    const item = this.#find(key);
    if (!item) return { status: 'missing', messages: [] };
    if (item.token !== token) return { status: 'fenced', messages: [] };
    this.#set(key, { value, token, ...endsOf(options) });
    this.#announce(options.announce);
    return { status: 'written', messages: options.inbox ? this.#drain(options.inbox) : [] };
  }

  async takeOver(key: StateKey, token: number, value: string, options: TakeOverOptions): Promise<boolean> {
    checkSize(value);
    const { ttlMs, doubtMs, announce } = options;
    const item = this.#find(key);
    if (item?.token !== token || item.leaseEndsAt === undefined || !isLeaseOver(item)) return false;
    const now = Date.now();
    if (item.doubtEndsAt === undefined) {
      this.#set(key, { ...item, doubtEndsAt: now + doubtMs, expiresAt: now + ttlMs + doubtMs });
      return false;
    }
    if (item.doubtEndsAt > now) return false;
    this.#set(key, { value, token: token + 1, ...endsOf({ ttlMs }) });
    this.#announce(announce);
    return true;
  }

  async append(key: StateKey, value: string, { ttlMs, announce }: AppendOptions): Promise<boolean> {
    checkSize(value);
    const list = this.#find(key)?.list ?? [];
    if (list.length >= MAX_LIST_VALUES) return false;
    this.#set(key, { value: '', token: 0, list: [...list, value], ...endsOf({ ttlMs }) });
    this.#announce(announce);
    return true;
  }

  async put(key: StateKey, id: string, value: string, { ttlMs, maxChars }: CollectionBounds): Promise<void> {
    checkSize(value, maxChars);
    const now = Date.now();
    let chars = 0;
    const values = [{ id, value, expiresAt: now + ttlMs }, ...(this.#collections.get(nameOf(key)) ?? [])];
    const kept = values.slice(0, MAX_COLLECTION_VALUES).filter((item) => {
      chars += item.value.length;
      return item.expiresAt > now && chars <= maxChars;
    });
    this.#collections.set(nameOf(key), kept);
  }

  async find(key: StateKey, id: string): Promise<string | undefined> {
    const now = Date.now();
    return this.#collections.get(nameOf(key))?.find((item) => item.id === id && item.expiresAt > now)?.value;
  }

  async take(key: StateKey, { size, perSecond }: Bucket): Promise<number> {
    const name = nameOf(key);
    const bucket = this.#buckets.get(name) ?? new TokenBucket(size, perSecond);
    this.#buckets.set(name, bucket);
    return bucket.tryTake() ? 0 : Math.ceil(bucket.waitMs());
  }

  async join(key: StateKey, member: string, ttlMs: number): Promise<readonly string[]> {
    const members = this.#sets.get(nameOf(key)) ?? new Map<string, number>();
    this.#sets.set(nameOf(key), members.set(member, Date.now() + ttlMs));
    const present = await this.members(key);
    for (const first of present.slice(0, -MAX_MEMBERS)) members.delete(first);
    return present.slice(-MAX_MEMBERS);
  }

  async members(key: StateKey): Promise<readonly string[]> {
    const now = Date.now();
    const members = this.#sets.get(nameOf(key)) ?? new Map<string, number>();
    for (const [name, expiresAt] of members) if (expiresAt <= now) members.delete(name);
    return [...members].sort(([, a], [, b]) => a - b).map(([name]) => name);
  }

  async leave(key: StateKey, member: string): Promise<void> {
    this.#sets.get(nameOf(key))?.delete(member);
  }

  async publish(channel: string, message: string): Promise<void> {
    this.#announce({ channel, message });
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
  }

  async unsubscribe(channel: string): Promise<void> {
    this.#listeners.delete(channel);
  }

  /** Never calls the listener, because this store can always be used. */
  onUsable(): void {}

  async close(): Promise<void> {
    this.#items.clear();
    this.#collections.clear();
    this.#buckets.clear();
    this.#sets.clear();
    this.#listeners.clear();
  }

  #announce(announcement: Announcement | undefined): void {
    if (!announcement) return;
    for (const listener of this.#listeners.get(announcement.channel) ?? []) listener(announcement.message);
  }

  #drain(key: StateKey): readonly string[] {
    const list = this.#find(key)?.list ?? [];
    this.#items.delete(nameOf(key));
    return list;
  }

  #find(key: StateKey): Item | undefined {
    const item = this.#items.get(nameOf(key));
    return item && item.expiresAt > Date.now() ? item : undefined;
  }

  #set(key: StateKey, item: Omit<Item, 'list'> & Partial<Item>): void {
    const now = Date.now();
    for (const [name, { expiresAt }] of this.#items) if (expiresAt <= now) this.#items.delete(name);
    this.#items.set(nameOf(key), { list: [], ...item });
  }
}

const nameOf = ({ group, name }: StateKey): string => `${group} ${name}`;

const isLeaseOver = ({ leaseEndsAt }: Item): boolean => leaseEndsAt === undefined || leaseEndsAt <= Date.now();

function endsOf({ ttlMs, leaseMs = 0 }: Lifetime): Pick<Item, 'expiresAt' | 'leaseEndsAt'> {
  const now = Date.now();
  return { expiresAt: now + ttlMs, leaseEndsAt: leaseMs === 0 ? undefined : now + leaseMs };
}
