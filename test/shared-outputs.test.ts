import { describe, expect, it } from 'vitest';
import { ask, KEYS } from './access/three-keys.js';
import { startHttp } from './support/clients.js';
import { noRedis, startRedis } from './support/redis.js';
import { createWorkplace } from './support/workplace.js';

const PLUGIN = `
export const register = (api) => api.registerTool({
  name: 'long', description: 'd', inputSchema: { type: 'object' },
  run: () => 'a line\\n'.repeat(10_000),
});`;

/** docs/spec/shared.md#outputs */
describe.skipIf(noRedis)('the whole output of a call', () => {
  it('is a resource of each replica, for its principal, and STATE_UNAVAILABLE while the store is away', async () => {
    const redis = await startRedis();
    const serve = async (Replica: string) => {
      const workplace = createWorkplace(
        { 'plugins/p.mjs': PLUGIN },
        {
          Plugins: { Directory: 'plugins' },
          Dotnet: { Enabled: false },
          Auth: {
            Keys: [
              { Name: 'ann', Key: KEYS.open },
              { Name: 'bob', Key: KEYS.zebra },
            ],
          },
          Http: { StateKeys: ['a-key-of-all-replicas'] },
          State: { Replica, Redis: { Urls: [redis.url] } },
        },
      );
      return (await startHttp(workplace)).url;
    };
    const [first, second] = [await serve('first'), await serve('second')];
    const outputOf = async () => {
      const { body } = await ask(first, KEYS.open, 'tools/call', { name: 'long', arguments: {} });
      return body.result.content.find(({ type }: { type: string }) => type === 'resource_link').uri as string;
    };
    const read = async (url: string, uri: string, key = KEYS.open) =>
      (await ask(url, key, 'resources/read', { uri })).body;
    const uri = await outputOf();
    const { result } = await read(second, uri);
    expect(result.contents[0].text).toBe('a line\n'.repeat(10_000));
    expect(result.contents).toEqual((await read(first, uri)).result.contents);
    const strange = await read(second, uri, KEYS.zebra);
    const unknown = await read(second, 'mortise://outputs/unknown', KEYS.zebra);
    expect(strange.error.message.replace(uri, '')).toBe(unknown.error.message.replace('mortise://outputs/unknown', ''));
    expect([strange.error.code, strange.error.data?.code]).toEqual([unknown.error.code, unknown.error.data?.code]);

    await redis.stop();
    const another = await outputOf();
    expect((await read(first, another)).result.contents).toEqual(
      result.contents.map((content: object) => ({ ...content, uri: another })),
    );
    expect((await read(second, another)).error).toMatchObject({
      code: -32603,
      data: { code: 'STATE_UNAVAILABLE', retryAfterMs: 1000 },
    });
    // The second replica has read this one before.
    expect((await read(second, uri)).result.contents).toEqual(result.contents);
  });
});
