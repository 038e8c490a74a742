import {
  type Announcement,
  type AppendOptions,
  type Bucket,
  type CollectionBounds,
  checkSize,
  type Lifetime,
  type StateEntry,
  type StateKey,
  type StateStore,
  type TakeOverOptions,
  type WriteOptions,
  type WriteResult,
} from '../state-store.js';
import type { RedisConnection } from './redis-connection.js';
import { SCRIPTS } from './scripts.js';

/** Keeps state in Redis 7 or later. */
export class RedisStateStore implements StateStore {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  /** @param prefix of all keys and channels, without braces */
  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  get problem(): string | undefined {
    return this.#redis.problem;
  }

  async get(key: StateKey): Promise<StateEntry | undefined> {
    const reply = await this.#redis.run(SCRIPTS.get, [this.#keyOf(key)], []);
    if (reply === null) return undefined;
    const [value, token, isLeased] = reply as [string, string, number];
    return { value, token: Number(token), isLeased: isLeased === 1 };
  }

  async create(key: StateKey, value: string, lifetime: Lifetime): Promise<boolean> {
    return (await this.#redis.run(SCRIPTS.create, [this.#keyOf(key)], argsOf(value, 1, lifetime))) === 1;
  }

  async write(key: StateKey, token: number, value: string, options: WriteOptions): Promise<WriteResult> {
    const { inbox, announce } = options;
    const keys = [key, ...(inbox ? [inbox] : [])].map((one) => this.#keyOf(one));
    const args = [...argsOf(value, token, options), ...this.#argsOf(announce)];
    const [status, ...messages] = (await this.#redis.run(SCRIPTS.write, keys, args)) as string[];
    return { status: status as WriteResult['status'], messages };
  }

  async takeOver(key: StateKey, token: number, value: string, options: TakeOverOptions): Promise<boolean> {
    const args = [...argsOf(value, token, options), ...this.#argsOf(options.announce), `${options.doubtMs}`];
    return (await this.#redis.run(SCRIPTS.takeOver, [this.#keyOf(key)], args)) === 1;
  }

  async append(key: StateKey, value: string, { ttlMs, announce }: AppendOptions): Promise<boolean> {
    checkSize(value);
    const args = [value, `${ttlMs}`, ...this.#argsOf(announce)];
    return (await this.#redis.run(SCRIPTS.append, [this.#keyOf(key)], args)) === 1;
  }

  async put(key: StateKey, id: string, value: string, { ttlMs, maxChars }: CollectionBounds): Promise<void> {
    checkSize(value, maxChars);
    await this.#redis.run(SCRIPTS.put, [this.#keyOf(key)], [id, value, ...[ttlMs, value.length, maxChars].map(String)]);
  }

  async find(key: StateKey, id: string): Promise<string | undefined> {
    return ((await this.#redis.run(SCRIPTS.find, [this.#keyOf(key)], [id])) as string | null) ?? undefined;
  }

  async take(key: StateKey, { size, perSecond }: Bucket): Promise<number> {
    return (await this.#redis.run(SCRIPTS.take, [this.#keyOf(key)], [`${size}`, `${perSecond}`])) as number;
  }

  async join(key: StateKey, member: string, ttlMs: number): Promise<readonly string[]> {
    return (await this.#redis.run(SCRIPTS.join, [this.#keyOf(key)], [member, `${ttlMs}`])) as string[];
  }

  async leave(key: StateKey, member: string): Promise<void> {
    await this.#redis.run(SCRIPTS.leave, [this.#keyOf(key)], [member]);
  }

  async members(key: StateKey): Promise<readonly string[]> {
    return (await this.#redis.run(SCRIPTS.members, [this.#keyOf(key)], [])) as string[];
  }

  publish(channel: string, message: string): Promise<void> {
    return this.#redis.publish(this.#channelOf(channel), message);
  }

  subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    return this.#redis.subscribe(this.#channelOf(channel), listener);
  }

  unsubscribe(channel: string): Promise<void> {
    return this.#redis.unsubscribe(this.#channelOf(channel));
  }

  onUsable(listener: () => void): void {
    this.#redis.onUsable(listener);
  }

  close(): Promise<void> {
    return this.#redis.close();
  }

  /** Redis Cluster chooses the server of a key by the part in braces. */
  #keyOf({ group, name }: StateKey): string {
    return `${this.#prefix}:{${group}}:${name}`;
  }

  #channelOf(channel: string): string {
    return `${this.#prefix}:${channel}`;
  }

  #argsOf(announce: Announcement | undefined): string[] {
    return announce ? [this.#channelOf(announce.channel), announce.message] : ['', ''];
  }
}

function argsOf(value: string, token: number, { ttlMs, leaseMs = 0 }: Lifetime): string[] {
  checkSize(value);
  return [value, `${token}`, `${ttlMs}`, `${leaseMs}`];
}
