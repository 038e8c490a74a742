import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startHttp } from '../support/clients.js';
import { noRedis, startRedis } from '../support/redis.js';
import { createWorkplace } from '../support/workplace.js';
import { settings } from './keys.js';
import { ask, KEYS, session } from './three-keys.js';

const ANN = { Name: 'ann', Key: KEYS.open };
const BOB = { Name: 'bob', Sha256: createHash('sha256').update(KEYS.zebra).digest('hex') };

/** docs/spec/shared.md#removed-keys */
describe.skipIf(noRedis)('a key that one of two replicas has removed', () => {
  it('is refused by the other one with its older settings, until a reload adds it again', async () => {
    const redis = await startRedis();
    const serve = async (name: string) => {
      const settingsOf = (keys: object[]) =>
        settings(keys, {
          Http: { StateKeys: ['a-key-of-all-replicas'] },
          State: { Replica: name, Redis: { Urls: [redis.url] } },
        });
      const workplace = createWorkplace({}, settingsOf([ANN, BOB]));
      const { url, process: server, stderr } = await startHttp(workplace);
      const reload = (keys: object[]) => {
        workplace.write('appsettings.json', JSON.stringify(settingsOf(keys)));
        server.kill('SIGHUP');
      };
      const statusOf = async (key: string) => (await ask(url, key, 'tools/list')).status;
      return { url, stderr, reload, statusOf };
    };
    const [first, second] = [await serve('first'), await serve('second')];
    const headers = await session(second.url, KEYS.open);
    const stream = await fetch(second.url, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${KEYS.open}`, ...headers },
    });
    expect([await second.statusOf(KEYS.open), stream.status]).toEqual([200, 200]);

    first.reload([BOB]);
    await expect.poll(() => first.statusOf(KEYS.open)).toBe(401);
    await expect.poll(() => second.statusOf(KEYS.open)).toBe(401);
    // The stream of the session ends.
    await stream.text();
    expect(await second.statusOf(KEYS.zebra)).toBe(200);
    await expect.poll(second.stderr).toMatch(/"keys":\["ann"\].*Access keys of these settings are refused/);
    expect(await (await serve('third')).statusOf(KEYS.open)).toBe(401);

    first.reload([ANN, BOB]);
    await expect.poll(() => second.statusOf(KEYS.open)).toBe(200);
  });
});
