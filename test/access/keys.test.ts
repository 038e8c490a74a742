import { createHash } from 'node:crypto';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connect, createClient, startHttp, VERSIONS } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { ask, KEYS, post, session, sharedServer } from './three-keys.js';

const PLUGIN = `
export const register = (api) => {
  for (const name of ['look', 'change'])
    api.registerTool({ name, title: 'T', description: 'd', inputSchema: { type: 'object' },
      annotations: { readOnlyHint: name === 'look' }, run: () => name });
};`;
const settings = (keys: object[], more: object = {}) => ({
  Plugins: { Directory: 'plugins' },
  Dotnet: { Enabled: false },
  Auth: { Keys: keys },
  ...more,
});
const open = (keys: object[], more: object = {}) => createWorkplace({ 'plugins/p.mjs': PLUGIN }, settings(keys, more));

describe.each(VERSIONS)('three keys with three profiles on one server, with %s', (version) => {
  const url = sharedServer();

  it('have a list each', async () => {
    const lists = await Promise.all(
      [KEYS.open, KEYS.zebra, KEYS.reader].map(async (key) => {
        const client = createClient(version);
        const headers = { authorization: `Bearer ${key}` };
        await client.connect(new StreamableHTTPClientTransport(new URL(url()), { requestInit: { headers } }));
        const { tools } = await client.listTools();
        const { resources } = await client.listResources();
        const { prompts } = await client.listPrompts();
        const both = tools.find(({ name }) => name.endsWith('both'));
        await client.close();
        return {
          tools: tools.map(({ name }) => name),
          resources: resources.map(({ uri }) => uri).filter((uri) => !uri.startsWith('mortise:')),
          prompts: prompts.map(({ name }) => name),
          actions: (both?.inputSchema.properties?.action as { enum?: string[] } | undefined)?.enum,
        };
      }),
    );
    expect(lists).toEqual([
      {
        tools: ['builtin_plugins', 'open_both', 'open_look', 'open_say', 'open_update'],
        resources: [],
        prompts: ['open-ask'],
        actions: ['Read'],
      },
      {
        tools: ['zebra_both', 'zebra_change', 'zebra_look', 'zebra_say', 'zebra_update'],
        resources: ['zebra://one'],
        prompts: ['zebra-ask'],
        actions: ['Read', 'Write'],
      },
      {
        tools: ['builtin_plugins', 'open_both', 'open_look'],
        resources: ['open://one'],
        prompts: ['open-ask'],
        actions: ['Read'],
      },
    ]);
  });
});

describe('a key', () => {
  it('can be given by its hash, and is wrong with one other letter', async () => {
    const key = 'h'.repeat(40);
    const { url } = await startHttp(open([{ Name: 'a', Sha256: createHash('sha256').update(key).digest('hex') }]));
    expect((await ask(url, key, 'tools/list')).status).toBe(200);
    expect((await ask(url, `${key.slice(1)}x`, 'tools/list')).status).toBe(401);
    expect((await ask(url, '', 'tools/list')).status).toBe(401);
  });

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

  it('that is removed from the configuration is refused after a reload, and its stream ends', async () => {
    const workplace = open([
      { Name: 'a', Key: KEYS.open },
      { Name: 'b', Key: KEYS.zebra },
    ]);
    const { url, process: server } = await startHttp(workplace);
    const headers = { ...(await session(url, KEYS.open)), authorization: `Bearer ${KEYS.open}` };
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
    const other = await session(url, KEYS.zebra);
    workplace.write('appsettings.json', JSON.stringify(settings([{ Name: 'b', Key: KEYS.zebra }])));
    server.kill('SIGHUP');
    await stream.text().catch(() => {});
    expect((await ask(url, KEYS.open, 'tools/list')).status).toBe(401);
    expect((await post(url, KEYS.zebra, { id: 1, method: 'tools/list' }, other)).status).toBe(200);
  });

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

  it.each([
    ['short', [{ Name: 'a', Key: 'k'.repeat(31) }], 'Auth.Keys[0].Key is text of 31 characters'],
    [
      'duplicate',
      [
        { Name: 'a', Key: KEYS.open },
        { Name: 'b', Key: KEYS.open },
      ],
      "Auth.Keys[1].Key is the key of 'a' too",
    ],
    [
      'named as another',
      [
        { Name: 'a', Key: KEYS.open },
        { Name: 'A', Key: KEYS.zebra },
      ],
      "Auth.Keys[1].Name 'A' is the name",
    ],
    ['named as callers without a key', [{ Name: 'local', Key: KEYS.open }], 'Auth.Keys[0].Name is'],
    ['of an unknown profile', [{ Name: 'a', Key: KEYS.open, Profile: 'readonly' }], 'Did you mean readOnly?'],
    ['of an unknown scope', [{ Name: 'a', Key: KEYS.open, Scopes: ['mortise:admin'] }], 'Auth.Keys[0].Scopes[0]'],
    ['without a scope', [{ Name: 'a', Key: KEYS.open, Scopes: [] }], 'Auth.Keys[0].Scopes is empty'],
    ['expired', [{ Name: 'a', Key: KEYS.open, Expires: '2020-01-01' }], 'the key has expired'],
    ['of a wrong date', [{ Name: 'a', Key: KEYS.open, Expires: '2030-02-30' }], 'not a date or time'],
    ['of a wrong hash', [{ Name: 'a', Sha256: 'x'.repeat(64) }], 'Auth.Keys[0].Sha256 is not a SHA-256'],
  ])('that is %s is an error at the start', async (_what, keys, message) => {
    const started = startHttp(open(keys as object[]));
    await expect(started).rejects.toThrow(message);
  });

  it('is not needed for /healthz and /readyz, whatever the Host', async () => {
    const { url } = await startHttp(open([{ Name: 'a', Key: KEYS.open }]));
    const { origin } = new URL(url);
    expect(await (await fetch(`${origin}/healthz`)).text()).toBe('ok\n');
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).text()).toBe('ready\n');
    expect((await fetch(`${origin}/healthz/x`)).status).toBe(404);
  });
});

describe('over stdio', () => {
  it.each([
    ['--profile', ['--profile', 'narrow'], ['look']],
    ['--read-only', ['--read-only'], ['builtin_plugins', 'look']],
  ])('%s restricts the client', async (_option, flags, expected) => {
    const more = { Profiles: { narrow: { Include: ['look'] } }, Tools: { TrustAnnotations: ['p'] } };
    const client = await connect(
      open([], more),
      { transport: 'stdio', version: '2025-11-25' },
      undefined,
      undefined,
      flags,
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(expected);
    await expect(client.callTool({ name: 'change' })).rejects.toMatchObject({ code: -32602 });
  });
});

it('a server process ends by itself where a key is on its command line', async () => {
  const started = startHttp(open([]), ['--key', KEYS.open]);
  await expect(started).rejects.toThrow('cannot be given on the command line');
});
