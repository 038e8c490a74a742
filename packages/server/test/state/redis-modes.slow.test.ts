import { describe, expect, onTestFinished, test } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { noRedis, startCluster, startSentinel } from '../../../../test/support/redis.js';
import type { RedisSettings } from '../../src/state/redis/redis-settings.js';
import { testConformance } from './state-conformance.js';
import { openRedisStore } from './state-stores.js';

const LONG = { ttlMs: 600_000, leaseMs: 600_000 };

describe.skipIf(noRedis)('a store in a cluster', () => {
  const servers = shared(startCluster);

  async function open() {
    const more: Partial<RedisSettings> = { Mode: 'cluster', Urls: servers().map(({ url }) => url) };
    const forget = async () => {
      for (const server of servers()) server.command('FLUSHALL');
    };
    await forget();
    return { first: await openRedisStore('', more), second: await openRedisStore('', more), forget };
  }

  testConformance(open);

  test('has all keys of a group on one server, and groups on several', async () => {
    const { first } = await open();
    for (let task = 0; task < 30; task += 1) {
      await first.create({ group: `task:${task}`, name: 'task' }, 'x', LONG);
      await first.append({ group: `task:${task}`, name: 'inbox' }, 'y', { ttlMs: 600_000 });
    }
    const keys = servers().map((server) => server.command('KEYS', '*').split('\n').filter(Boolean));
    expect(keys.flat()).toHaveLength(60);
    for (const ofServer of keys) {
      expect(ofServer.length).toBeGreaterThan(0);
      const tasks = ofServer.filter((key) => key.endsWith(':task'));
      expect(tasks.map((key) => key.replace(/task$/, 'inbox')).sort()).toEqual(
        ofServer.filter((key) => key.endsWith(':inbox')).sort(),
      );
    }
  });
});

describe.skipIf(noRedis)('a store that Redis Sentinel watches', () => {
  const sentinelOf = (url: string): Partial<RedisSettings> => ({
    Mode: 'sentinel',
    SentinelName: 'main',
    Urls: [url],
  });

  describe('while its primary is there', () => {
    const redis = shared(startSentinel);
    testConformance(async () => {
      const more = sentinelOf(redis().sentinelUrl);
      const forget = async () => void redis().primary.command('FLUSHALL');
      await forget();
      return { first: await openRedisStore('', more), second: await openRedisStore('', more), forget };
    });
  });

  test('is used again when another server was promoted', async () => {
    const redis = await startSentinel(onTestFinished);
    const store = await openRedisStore('', sentinelOf(redis.sentinelUrl));
    const key = { group: 'task:1', name: 'task' };
    const heard: string[] = [];
    await store.subscribe('a', (message) => heard.push(message));
    await store.create(key, 'one', LONG);
    await expect.poll(() => redis.replica.command('KEYS', '*')).toContain('task:1');
    await redis.primary.stop('SIGKILL');
    await expect(store.get(key)).rejects.toMatchObject({ name: 'StateUnavailableError' });
    await expect
      .poll(() => store.write(key, 1, 'two', LONG).catch(() => 'failed'))
      .toMatchObject({ status: 'written' });
    expect(redis.replica.command('ROLE')).toContain('master');
    await expect
      .poll(async () => {
        await store.publish('a', 'hello');
        return heard[0];
      })
      .toBe('hello');
    expect(store.problem).toBeUndefined();
  });
});
