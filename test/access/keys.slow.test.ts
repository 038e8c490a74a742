import { describe, expect, it } from 'vitest';
import { startHttp } from '../support/clients.js';
import { expectListEach, expectTools, open, settings, WRONG_KEYS } from './keys.js';
import { ask, KEYS, post, session, sharedServer } from './three-keys.js';

describe('three keys with three profiles on one server', () => {
  const url = sharedServer();

  it('have a list each (2025-11-25)', () => expectListEach(url(), '2025-11-25'));
});

describe('a key', () => {
  it('that expires ends its sessions and streams', async () => {
    const keys = [
      { Name: 'a', Key: KEYS.open },
      { Name: 'b', Key: KEYS.zebra },
    ];
    const workplace = open(keys);
    const { url, process: server } = await startHttp(workplace);
    const headers = { ...(await session(url, KEYS.open)), authorization: `Bearer ${KEYS.open}` };
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    const expires = Date.now() + 2_000;
    const expiring = { ...keys[0], Expires: new Date(expires).toISOString() };
    workplace.write('appsettings.json', JSON.stringify(settings([expiring, keys[1]!])));
    server.kill('SIGHUP');
    await stream.text().catch(() => {});
    expect(Date.now()).toBeGreaterThanOrEqual(expires);
    expect((await post(url, KEYS.open, { id: 1, method: 'tools/list' }, headers)).status).toBe(401);
    expect((await ask(url, KEYS.zebra, 'tools/list')).status).toBe(200);
  });

  it.each(WRONG_KEYS)('that is %s is an error at the start', async (_what, keys, message) => {
    const started = startHttp(open(keys));
    await expect(started).rejects.toThrow(message);
  });
});

describe('over stdio', () => {
  it('--read-only restricts the client', () => expectTools(['--read-only'], ['builtin_plugins', 'look']));
});
