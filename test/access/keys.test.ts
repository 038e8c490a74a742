import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Sandbox } from '../../packages/server/test/settings/sandbox.js';
import { shared, startHttp } from '../support/clients.js';
import { expectListEach, expectTools, open, settings, WRONG_KEYS } from './keys.js';
import { ask, KEYS, post, session, sharedServer } from './three-keys.js';

describe('three keys with three profiles on one server', () => {
  const url = sharedServer();

  it('have a list each (2026-07-28)', () => expectListEach(url(), '2026-07-28'));
});

describe('a key', () => {
  it('that is wrong ten times makes its address wait, except for keys that it has used', async () => {
    const { url } = await startHttp(
      open([
        { Name: 'a', Key: KEYS.open },
        { Name: 'b', Key: KEYS.zebra },
      ]),
    );
    expect((await ask(url, KEYS.open, 'tools/list')).status).toBe(200);
    const statuses: number[] = [];
    for (let login = 0; login < 12; login += 1) statuses.push((await ask(url, `wrong-${login}`, 'tools/list')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const limited = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${KEYS.zebra}` } });
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await ask(url, KEYS.open, 'tools/list')).status).toBe(200);
  });

  it.each(WRONG_KEYS)('that is %s is an error', async (_what, keys, message) => {
    expect((await new Sandbox().fileProblems(settings(keys)))[0]).toContain(message);
  });

  it('that is an error ends the start of a server', async () => {
    const [[, keys, message]] = WRONG_KEYS as [(typeof WRONG_KEYS)[0]];
    await expect(startHttp(open(keys))).rejects.toThrow(message);
  });
});

describe('a key of a server', () => {
  const HASHED = 'h'.repeat(40);
  const REST = [
    { Name: 'hashed', Sha256: createHash('sha256').update(HASHED).digest('hex') },
    { Name: 'b', Key: KEYS.zebra },
  ];
  const opened = shared(async (finished) => {
    const workplace = open([{ Name: 'a', Key: KEYS.open }, ...REST], {}, finished);
    return { workplace, ...(await startHttp(workplace, [], finished)) };
  });

  it('can be given by its hash, and is wrong with one other letter', async () => {
    const { url } = opened();
    expect((await ask(url, HASHED, 'tools/list')).status).toBe(200);
    expect((await ask(url, `${HASHED.slice(1)}x`, 'tools/list')).status).toBe(401);
    expect((await ask(url, '', 'tools/list')).status).toBe(401);
  });

  it('is not needed for /healthz and /readyz, whatever the Host', async () => {
    const { origin } = new URL(opened().url);
    expect(await (await fetch(`${origin}/healthz`)).text()).toBe('ok\n');
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).text()).toBe('ready\n');
    expect((await fetch(`${origin}/healthz/x`)).status).toBe(404);
  });

  it('that is removed from the configuration is refused after a reload, and its stream ends', async () => {
    const { workplace, url, process: server } = opened();
    const headers = { ...(await session(url, KEYS.open)), authorization: `Bearer ${KEYS.open}` };
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
    const other = await session(url, KEYS.zebra);
    workplace.write('appsettings.json', JSON.stringify(settings(REST)));
    server.kill('SIGHUP');
    await stream.text().catch(() => {});
    expect((await ask(url, KEYS.open, 'tools/list')).status).toBe(401);
    expect((await post(url, KEYS.zebra, { id: 1, method: 'tools/list' }, other)).status).toBe(200);
  });
});

describe('over stdio', () => {
  it('--profile restricts the client', () => expectTools(['--profile', 'narrow'], ['look']));
});

it('a server process ends by itself where a key is on its command line', async () => {
  const started = startHttp(open([]), ['--key', KEYS.open]);
  await expect(started).rejects.toThrow('cannot be given on the command line');
});
