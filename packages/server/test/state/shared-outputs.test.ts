import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { noRedis, type RedisServer, startRedis } from '../../../../test/support/redis.js';
import { createOutputTable } from '../../src/call/results/output-store.js';
import { SharedOutputs } from '../../src/state/shared-outputs.js';
import { MAX_VALUE_CHARS } from '../../src/state/state-store.js';
import { openRedisStore, SILENT } from './state-stores.js';

const HOUR_MS = 3_600_000;

async function openReplica({ url }: RedisServer, keepMs = HOUR_MS) {
  const warnings: string[] = [];
  const log = {
    ...SILENT,
    warn: (message: string, fields?: object) => void warnings.push(JSON.stringify([message, fields])),
  };
  const shared = new SharedOutputs({ store: await openRedisStore(url), keepMs, log });
  const table = createOutputTable({ shared });
  return {
    warnings,
    async store(owner: string, text: string, media: { blob: string; mimeType?: string }[] = []) {
      const writes: Promise<void>[] = [];
      const uri = table.of(owner, (write) => writes.push(write)).store(text, media);
      expect(writes).toHaveLength(1);
      await Promise.all(writes);
      return uri;
    },
    /** The contents, from another replica if this one does not have them. */
    async read(owner: string, uri: string) {
      const outputs = table.of(owner);
      if (outputs.read(uri) === undefined) await outputs.fetch!(uri);
      return outputs.read(uri);
    },
  };
}

/** docs/spec/shared.md#outputs */
describe.skipIf(noRedis)('a stored output', () => {
  test('is read at another replica, by its principal alone', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis), await openReplica(redis)];
    const uri = await first.store('ann {x}', 'all of it', [{ blob: 'AAAA', mimeType: 'image/png' }]);
    expect(await second.read('bob', uri)).toBeUndefined();
    const contents = await second.read('ann {x}', uri);
    expect(contents).toEqual([
      { uri, mimeType: 'text/plain', text: 'all of it' },
      { uri, mimeType: 'image/png', blob: 'AAAA' },
    ]);
    expect(contents).toEqual(await first.read('ann {x}', uri));
    // Now that replica has it too.
    expect(await second.read('bob', uri)).toBeUndefined();
    expect(await second.read('ann {x}', `${uri}x`)).toBeUndefined();
  });

  test('is read page by page, and no longer asks the store after the first page', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis), await openReplica(redis)];
    const text = 'line\n'.repeat(50_000);
    const uri = await first.store('ann', text);
    const [page, next] = (await second.read('ann', uri)) as { text: string; uri: string }[];
    await redis.stop();
    let whole = page!.text;
    for (let at: string | undefined = next!.uri; at !== undefined; ) {
      const [more, following]: { text: string; uri: string }[] = (await second.read('ann', at)) as never;
      whole += more!.text;
      at = following?.uri;
    }
    expect(whole).toBe(text);
  });

  test('has an expiry, and belongs to its principal in the store', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis), await openReplica(redis, 1)];
    await first.store('ann', 'text');
    const [key] = redis.command('KEYS', '*').split('\n');
    expect(key).toMatch(/^test:\{outputs:[\w-]{43}\}:outputs$/);
    const ttlMs = Number(redis.command('PTTL', key!));
    expect(ttlMs).toBeGreaterThan(HOUR_MS / 2);
    expect(ttlMs).toBeLessThanOrEqual(HOUR_MS);
    const uri = await second.store('bob', 'text');
    // A replica that has read an output keeps it, so it is read only after its end.
    await expect.poll(() => redis.command('KEYS', '*').split('\n')).toEqual([key]);
    expect(await first.read('bob', uri)).toBeUndefined();
    // A value under the key of another principal, as no replica writes it.
    const [id, value] = [
      'an-id',
      JSON.stringify({ format: 1, owner: 'bob', text: 'x', media: [], storedAt: Date.now() }),
    ];
    redis.command('HSET', key!, 'index', `${id} ${Date.now() + HOUR_MS} 1`, `value ${id}`, value);
    expect(await second.read('ann', `mortise://outputs/${id}`)).toBeUndefined();
  });

  test('of the first version is read', async () => {
    const redis = await startRedis();
    const first = await openReplica(redis);
    const group = createHash('sha256').update('bob').digest('base64url');
    const value = `{"format":1,"owner":"bob","text":"of bob","media":[{"blob":"AAAA","mimeType":"image/png"}],"storedAt":${Date.now()}}`;
    const index = `an-id ${Date.now() + HOUR_MS} ${value.length} another ${Date.now() + HOUR_MS} 1`;
    redis.command('HSET', `test:{outputs:${group}}:outputs`, 'index', index, 'value an-id', value);
    const uri = 'mortise://outputs/an-id';
    expect(await first.read('bob', uri)).toEqual([
      { uri, mimeType: 'text/plain', text: 'of bob' },
      { uri, mimeType: 'image/png', blob: 'AAAA' },
    ]);
  });

  test('of another version is not interpreted', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis), await openReplica(redis)];
    const uri = await first.store('ann', 'text');
    const [key, id] = [redis.command('KEYS', '*'), uri.split('/').at(-1)];
    const value = redis.command('HGET', key, `value ${id}`);
    redis.command('HSET', key, `value ${id}`, value.replace('"format":1', '"format":2'));
    await expect(second.read('ann', uri)).rejects.toThrow('another version of Mortise has written it');
  });

  test('stays readable where it was stored while the store is away, and the log says so once', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis), await openReplica(redis)];
    await redis.stop();
    const uris = [await first.store('ann', 'one'), await first.store('ann', 'two')];
    expect(await first.read('ann', uris[1]!)).toMatchObject([{ text: 'two' }]);
    await expect(second.read('ann', uris[1]!)).rejects.toMatchObject({ name: 'StateUnavailableError' });
    expect(first.warnings).toEqual([expect.stringContaining('A stored output can be read only at this replica')]);
    await redis.start();
    await expect
      .poll(async () => (await second.read('ann', await first.store('ann', 'three')).catch(() => undefined))?.[0])
      .toMatchObject({ text: 'three' });
  });

  test('that is too large stays where it is', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis), await openReplica(redis)];
    const uri = await first.store('ann', 'x'.repeat(MAX_VALUE_CHARS));
    expect(first.warnings).toEqual([expect.stringContaining('A value for the shared state has')]);
    expect(await second.read('ann', uri)).toBeUndefined();
    expect(await first.read('ann', uri)).toBeDefined();
  });
});
