import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noRedis, startRedis } from '../../../../test/support/redis.js';
import { RemovedKeys } from '../../src/state/removed-keys.js';
import { MAX_MEMBERS } from '../../src/state/state-store.js';
import { openRedisStore } from './state-stores.js';

const sha256Of = (key: string) => createHash('sha256').update(key).digest('hex');
const [A, B] = [sha256Of('a'), sha256Of('b')];
const SET = 'test:{keys}:removed';

async function openReplica(url: string): Promise<RemovedKeys> {
  const keys = await RemovedKeys.open(await openRedisStore(url));
  onTestFinished(() => keys.close());
  return keys;
}

/** docs/spec/shared.md#removed-keys */
describe.skipIf(noRedis)('a removed key', () => {
  test('is known to each replica, also to one that starts later, until it is added again', async () => {
    const { url } = await startRedis();
    const [first, second] = [await openReplica(url), await openReplica(url)];
    let changes = 0;
    const stop = second.onChange(() => {
      changes += 1;
    });
    first.update({ removed: [A], added: [B] });
    expect([first.has(A), first.has(B)]).toEqual([true, false]);
    await expect.poll(() => second.has(A)).toBe(true);
    expect([second.has(B), changes]).toEqual([false, 1]);
    expect((await openReplica(url)).has(A)).toBe(true);
    second.update({ removed: [], added: [A] });
    expect([second.has(A), changes]).toEqual([false, 2]);
    await expect.poll(() => first.has(A)).toBe(false);
    expect((await openReplica(url)).has(A)).toBe(false);
    stop();
    first.update({ removed: [A], added: [] });
    await expect.poll(() => second.has(A)).toBe(true);
    expect(changes).toBe(2);
  });

  test('that was removed while the store was away is stored later', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis.url), await openReplica(redis.url)];
    await redis.stop();
    first.update({ removed: [A], added: [] });
    expect(first.has(A)).toBe(true);
    await redis.start();
    await expect
      .poll(async () => {
        await first.refresh();
        return second.has(A);
      })
      .toBe(true);
  });

  test('is written again by those who know it if the store forgets it', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis.url), await openReplica(redis.url)];
    first.update({ removed: [A], added: [] });
    await expect.poll(() => second.has(A)).toBe(true);
    redis.command('FLUSHALL');
    expect((await openReplica(redis.url)).has(A)).toBe(false);
    await second.refresh();
    expect((await openReplica(redis.url)).has(A)).toBe(true);
  });

  test('has an expiry, and texts of another format are ignored', async () => {
    const redis = await startRedis();
    const first = await openReplica(redis.url);
    first.update({ removed: [A], added: [] });
    await expect.poll(() => redis.command('EXISTS', SET)).toBe('1');
    const thirtyDaysMs = 30 * 24 * 3_600_000;
    const ttlMs = Number(redis.command('PTTL', SET));
    expect(ttlMs).toBeLessThanOrEqual(thirtyDaysMs);
    expect(ttlMs).toBeGreaterThan(thirtyDaysMs - 3_600_000);
    const now = Date.now();
    for (const text of [`2 removed ${B} ${now}`, `1 removed ${B} ${now - thirtyDaysMs}`, 'nonsense'])
      redis.command('ZADD', SET, `${now + 3_600_000}`, text);
    const second = await openReplica(redis.url);
    expect([second.has(A), second.has(B)]).toEqual([true, false]);
  });

  test('leaves when there are too many later ones', async () => {
    const redis = await startRedis();
    const now = Date.now();
    const members = Array.from({ length: MAX_MEMBERS }, (_, at) => [
      `${now + 3_600_000 + at}`,
      `1 removed ${sha256Of(`${at}`)} ${now - 60_000 + at}`,
    ]);
    redis.command('ZADD', SET, ...members.flat());
    const first = await openReplica(redis.url);
    expect(first.has(sha256Of('0'))).toBe(true);
    first.update({ removed: [A], added: [] });
    expect([first.has(A), first.has(sha256Of('0')), first.has(sha256Of('1'))]).toEqual([true, false, true]);
    await expect.poll(async () => (await openReplica(redis.url)).has(A)).toBe(true);
    expect(redis.command('ZCARD', SET)).toBe(`${MAX_MEMBERS}`);
  });
});
