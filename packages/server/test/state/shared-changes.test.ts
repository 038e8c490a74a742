import { describe, expect, onTestFinished, test } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { noRedis, startRedis } from '../../../../test/support/redis.js';
import { SharedChanges } from '../../src/state/shared-changes.js';
import { openRedisStore, startSharedRedis } from './state-stores.js';

const CHANNEL = 'test:changes';
const TOOLS = { kind: 'list', list: 'tools', isWholeChanged: true, unchangedFor: ['narrow'] } as const;
const RESOURCE = { kind: 'resource', uri: 'test://a' } as const;

let lastReplica = 0;

async function openReplica(url: string) {
  lastReplica += 1;
  const changes = await SharedChanges.open(await openRedisStore(url), `runner-${lastReplica}`);
  onTestFinished(() => changes.close());
  const heard: unknown[] = [];
  const stop = changes.listen({ changed: (change) => heard.push(change), missed: () => heard.push('missed') });
  return {
    changes,
    heard,
    stop,
    publish: (change: Parameters<SharedChanges['publish']>[0]) => changes.publish(change),
  };
}

/** docs/spec/shared.md#changes */
describe.skipIf(noRedis)('a change', () => {
  const redis = shared(startSharedRedis);
  const open = () => openReplica(redis().url);

  test('reaches the other replicas, and not its own again', async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    first.publish(TOOLS);
    first.publish(RESOURCE);
    await expect
      .poll(() => [second.heard, third.heard])
      .toEqual([
        [TOOLS, RESOURCE],
        [TOOLS, RESOURCE],
      ]);
    second.publish(RESOURCE);
    await expect.poll(() => first.heard).toEqual([RESOURCE]);
  });

  test('is not heard of after its listener has gone', async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    second.stop();
    first.publish(RESOURCE);
    await expect.poll(() => third.heard).toEqual([RESOURCE]);
    expect(second.heard).toEqual([]);
  });

  test.each([
    ['of a later version', '{"format":2,"from":"x","kind":"resource","uri":"test://a"}'],
    ['of an unknown kind', '{"format":1,"from":"x","kind":"constructor"}'],
    [
      'with a wrong list',
      '{"format":1,"from":"x","kind":"list","list":"secrets","isWholeChanged":true,"unchangedFor":[]}',
    ],
    ['without its profiles', '{"format":1,"from":"x","kind":"list","list":"tools","isWholeChanged":true}'],
    ['without a URI', '{"format":1,"from":"x","kind":"resource"}'],
    ['that is no object', '1'],
    ['that is no JSON', '{'],
  ])('%s is never misread: it says that something has changed', async (_, text) => {
    const replica = await open();
    redis().command('PUBLISH', CHANNEL, text);
    await expect.poll(() => replica.heard).toEqual(['missed']);
  });
});

/** docs/spec/shared.md#changes */
describe.skipIf(noRedis)('changes while the store is away', () => {
  test('may have been missed by all replicas, which hear each other again', async () => {
    const redis = await startRedis();
    const [first, second] = [await openReplica(redis.url), await openReplica(redis.url)];
    await redis.stop('SIGKILL');
    first.publish(RESOURCE);
    await redis.start();
    await expect.poll(() => [first.heard[0], second.heard[0]]).toEqual(['missed', 'missed']);
    second.publish(TOOLS);
    await expect.poll(() => first.heard).toContainEqual(TOOLS);
    expect(second.heard).not.toContainEqual(RESOURCE);
  });

  test('of a replica that alone has lost the store are made good to the others', async () => {
    const redis = await startRedis();
    const user = (...rules: string[]) => redis.command('ACL', 'SETUSER', 'first', ...rules);
    user('on', '>secret-of-the-first', 'allkeys', 'allchannels', 'allcommands');
    const first = await openReplica(redis.url.replace('//', '//first:secret-of-the-first@'));
    const second = await openReplica(redis.url);
    user('-publish');
    first.publish(RESOURCE);
    await expect.poll(() => redis.command('ACL', 'LOG')).toContain('publish');
    expect(second.heard).toEqual([]);
    user('+publish');
    await expect.poll(() => first.heard).toContain('missed');
    await expect.poll(() => second.heard).toContain('missed');
  });
});
