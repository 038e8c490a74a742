import { onTestFinished } from 'vitest';
import { type RedisServer, slowWay, startRedis } from '../../../../test/support/redis.js';
import type { Finished } from '../../../../test/support/workplace.js';
import { MemoryStateStore } from '../../src/state/memory-state-store.js';
import { RedisConnection } from '../../src/state/redis/redis-connection.js';
import type { RedisSettings } from '../../src/state/redis/redis-settings.js';
import { RedisStateStore } from '../../src/state/redis/redis-state-store.js';
import type { StateStore } from '../../src/state/state-store.js';

/** Two replicas' views of one store. */
export interface Stores {
  readonly first: StateStore;
  readonly second: StateStore;
  /** Removes everything from the store, as an eviction or a restart without saved data does. */
  forget(): Promise<void>;
}

type Line = (message: string, fields?: object) => void;
const ignore: Line = () => {};

export const SILENT = { info: ignore, error: ignore, warn: ignore };

export const redisSettings = (url: string, more: Partial<RedisSettings> = {}): RedisSettings => ({
  Urls: [url],
  Mode: 'single',
  Prefix: 'test',
  Tls: false,
  CaFile: '',
  ...more,
});

export async function openRedisStore(
  url: string,
  more: Partial<RedisSettings> = {},
  log: typeof SILENT = SILENT,
  finished: Finished = onTestFinished,
): Promise<StateStore> {
  const settings = redisSettings(url, more);
  const store = new RedisStateStore(await RedisConnection.open({ settings, name: 'test', log }), settings.Prefix);
  finished(() => store.close());
  return store;
}

export async function memoryStores(): Promise<Stores> {
  const store = new MemoryStateStore();
  return { first: store, second: store, forget: () => store.close() };
}

/** @param delayMs the time that each direction takes */
export async function redisStores(redis: RedisServer, delayMs = 0): Promise<Stores> {
  const url = `redis://127.0.0.1:${delayMs === 0 ? redis.port : await slowWay(redis.port, delayMs)}`;
  const forget = async () => void redis.command('FLUSHALL');
  await forget();
  return { first: await openRedisStore(url), second: await openRedisStore(url), forget };
}

export const startSharedRedis = (finished: Finished) => startRedis([], { finished });
