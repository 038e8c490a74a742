import { describe, expect, test } from 'vitest';
import { Sandbox } from './sandbox.js';

const KEYS = { StateKeys: ['a-key-of-all-replicas'] };
const URL = 'redis://127.0.0.1:6379';

/** docs/spec/shared.md#settings */
describe('settings for shared state', () => {
  test('have defaults', async () => {
    const { settings } = await new Sandbox().loadFile({ Http: KEYS, State: { Redis: { Urls: [URL] } } });
    expect(settings.State).toEqual({
      Redis: { Urls: [URL], Mode: 'single', Prefix: 'mortise', Tls: false, CaFile: '' },
      OnFailure: 'local',
      Replica: '',
    });
    expect((await new Sandbox().loadFile({ State: {} })).settings.State).toEqual({ OnFailure: 'local', Replica: '' });
  });

  test('with TLS by either way can name a file with certificates', async () => {
    for (const redis of [{ Urls: [URL], Tls: true }, { Urls: [URL.replace('redis:', 'rediss:')] }]) {
      const { settings } = await new Sandbox().loadFile({
        Http: KEYS,
        State: { Redis: { ...redis, CaFile: 'ca.pem' } },
      });
      expect(settings.State.Redis!.CaFile).toMatch(/ca\.pem$/);
    }
  });

  test.each([
    ['State.Redis.Urls[0]', { Redis: { Urls: ['http://127.0.0.1:6379'] } }],
    ['State.Redis.Urls[0]', { Redis: { Urls: ['127.0.0.1:6379'] } }],
    ['State.Redis.Urls', { Redis: { Urls: [] } }],
    ['State.Redis.Urls', { Redis: { Urls: [URL, URL] } }],
    ['State.Redis.Urls', { Redis: {} }],
    ['State.Redis.Urls', { Redis: { Urls: [], Mode: 'cluster' } }],
    ['State.Redis.Mode', { Redis: { Urls: [URL], Mode: 'many' } }],
    ['State.Redis.SentinelName', { Redis: { Urls: [URL], SentinelName: 'main' } }],
    ['State.Redis.SentinelName', { Redis: { Urls: [URL, URL], Mode: 'sentinel' } }],
    ['State.Redis.Prefix', { Redis: { Urls: [URL], Prefix: 'a{b}' } }],
    ['State.Redis.Prefix', { Redis: { Urls: [URL], Prefix: '' } }],
    ['State.Redis.CaFile', { Redis: { Urls: [URL], CaFile: 'ca.pem' } }],
    ['State.Replica', { Replica: 'a.b' }],
    ['State.Replica', { Replica: '-a' }],
  ])('with a wrong value of %s are an error that names it', async (key, State) => {
    const sandbox = new Sandbox();
    const problems = await sandbox.problems(() => sandbox.loadFile({ Http: KEYS, State }));
    expect(problems.map((problem) => problem.key)).toEqual([key]);
  });

  test('need keys that all replicas have', async () => {
    const sandbox = new Sandbox();
    const State = { Redis: { Urls: [URL] } };
    const [problem] = await sandbox.problems(() => sandbox.loadFile({ State }));
    expect(problem).toMatchObject({ key: 'State.Redis', hint: 'Give all replicas the same Http.StateKeys.' });
    expect(
      (await sandbox.loadFile({ State, Http: { StateKey: KEYS.StateKeys[0] } })).settings.State.Redis,
    ).toBeDefined();
  });

  test('do not have both forms of the keys', async () => {
    const sandbox = new Sandbox();
    const [problem] = await sandbox.problems(() =>
      sandbox.loadFile({ Http: { ...KEYS, StateKey: KEYS.StateKeys[0] } }),
    );
    expect(problem).toMatchObject({ key: 'Http.StateKey', message: 'Http.StateKey is set, and Http.StateKeys too.' });
  });

  test('keep the password of the store secret, also where it stands alone', async () => {
    const { secrets } = await new Sandbox().loadFile({
      Http: KEYS,
      State: { Redis: { Urls: ['redis://ann:pass%20word@127.0.0.1'] } },
    });
    expect(secrets).toEqual(expect.arrayContaining(['redis://ann:pass%20word@127.0.0.1', 'pass word']));
  });
});
