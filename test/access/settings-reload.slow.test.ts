import { createHash } from 'node:crypto';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, startHttp, VERSIONS, type Version } from '../support/clients.js';
import { createWorkplace, type Workplace } from '../support/workplace.js';
import { ask, KEYS, post, type Reply, session } from './three-keys.js';

/** What a reload of the settings does to clients that are connected (docs/spec/access.md#settings-reload). */

const PLUGIN = `
export const register = (api) => {
  for (const name of ['look', 'change'])
    api.registerTool({ name, title: 'T', description: 'd', inputSchema: { type: 'object' }, run: () => name });
  api.registerResource({ uri: 'p://one', name: 'one', read: () => 'x' });
  api.registerPrompt({ name: 'ask', description: 'd', arguments: [{ name: 'a', complete: () => ['v'] }], get: () => 'x' });
};`;

const SETTINGS = {
  Plugins: { Directory: 'plugins' },
  Dotnet: { Enabled: false },
  Profiles: { narrow: { Include: ['look'] }, other: { Include: ['change', 'p://one'] } },
};
const A = { Name: 'a', Key: KEYS.open };
const B = { Name: 'b', Key: KEYS.zebra };

interface Served {
  readonly url: string;
  readonly workplace: Workplace;
  /** Writes the settings, and reloads. */
  reload(settings: object): void;
  stderr(): string;
}

async function serve(settings: object, flags: string[] = []): Promise<Served> {
  const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, { ...SETTINGS, ...settings });
  const { url, process: server, stderr } = await startHttp(workplace, flags);
  return {
    url,
    workplace,
    stderr,
    reload(next) {
      workplace.write('appsettings.json', JSON.stringify({ ...SETTINGS, ...next }));
      server.kill('SIGHUP');
    },
  };
}

interface Listener {
  readonly client: Client;
  /** The methods of the notifications that it was sent. */
  readonly heard: string[];
}

/** A client that hears of changes: in its session, or by a request that listens. */
async function listen(url: string, key: string, version: Version): Promise<Listener> {
  const client = createClient(version);
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
  for (const list of ['tools', 'resources', 'prompts'] as const)
    client.setNotificationHandler(`notifications/${list}/list_changed`, async ({ method }) => void heard.push(method));
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  if (version === '2026-07-28')
    await client.listen({ toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true });
  return { client, heard };
}

const toolsOf = async ({ client }: Listener) => (await client.listTools()).tools.map(({ name }) => name);
const statusOf = async (url: string, key: string) => (await ask(url, key, 'tools/list')).status;

describe.each(VERSIONS)('a reload of the settings, with a client of %s', (version) => {
  it('that changes a profile tells the clients whose lists change, and only of those lists', async () => {
    const keys = [
      { ...A, Profile: 'narrow' },
      { ...B, Profile: 'other' },
    ];
    const { url, reload } = await serve({ Auth: { Keys: keys } });
    const narrow = await listen(url, KEYS.open, version);
    const other = await listen(url, KEYS.zebra, version);
    expect(await toolsOf(narrow)).toEqual(['look']);
    const Profiles = { ...SETTINGS.Profiles, narrow: { Include: ['look', 'change', 'ask'] } };
    reload({ Auth: { Keys: keys }, Profiles });
    const changes = ['notifications/prompts/list_changed', 'notifications/tools/list_changed'];
    await expect.poll(() => [...narrow.heard].sort()).toEqual(changes);
    expect(await toolsOf(narrow)).toEqual(['change', 'look']);
    reload({ Auth: { Keys: keys }, Profiles: { ...Profiles, other: { Include: ['change'] } } });
    await expect.poll(() => other.heard).toEqual(['notifications/resources/list_changed']);
    expect([...narrow.heard].sort()).toEqual(changes);
  });

  it('that gives a key another profile or other scopes keeps its sessions', async () => {
    const { url, reload } = await serve({ Auth: { Keys: [A] } });
    const all = await listen(url, KEYS.open, version);
    const atUrl = await listen(`${url}/p/narrow`, KEYS.open, version);
    expect(await toolsOf(all)).toEqual(['builtin_plugins', 'change', 'look']);
    expect(await toolsOf(atUrl)).toEqual(['look']);
    reload({ Auth: { Keys: [{ ...A, Profile: 'other', Scopes: ['mortise:read'] }] } });
    await expect.poll(() => all.heard).toContain('notifications/tools/list_changed');
    await expect.poll(() => atUrl.heard).toContain('notifications/tools/list_changed');
    expect(await toolsOf(all)).toEqual(['change']);
    expect(await toolsOf(atUrl)).toEqual([]);
    await expect(all.client.callTool({ name: 'change' })).rejects.toThrow('mortise:write');
    reload({ Auth: { Keys: [{ ...A, Profile: 'other' }] } });
    const call = async () => JSON.stringify(await all.client.callTool({ name: 'change' }).catch(String));
    await expect.poll(call).toContain('"text":"change"');
    await expect(all.client.callTool({ name: 'look' })).rejects.toMatchObject({ code: -32602 });
  });
});

it('what a profile hides after a reload is unknown in sessions that are open', async () => {
  const keys = [{ ...A, Profile: 'narrow' }];
  const all = { narrow: { Include: ['p'] } };
  const { url, reload } = await serve({ Auth: { Keys: keys }, Profiles: all });
  const headers = await session(url, KEYS.open);
  const request = (method: string, params: object) => post(url, KEYS.open, { id: 7, method, params }, headers);
  const attempts: readonly [method: string, params: object][] = [
    ['tools/call', { name: 'change', arguments: {} }],
    ['resources/read', { uri: 'p://one' }],
    ['prompts/get', { name: 'ask' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'a', value: '' } }],
  ];
  await request('resources/subscribe', { uri: 'p://one' });
  for (const [method, params] of attempts) expect((await request(method, params)).body.error).toBeUndefined();
  reload({ Auth: { Keys: keys }, Profiles: { narrow: { Include: ['look'] } } });
  await expect.poll(async () => (await request('tools/list', {})).text).not.toContain('change');
  for (const [method, params] of attempts) {
    const { body } = await request(method, params);
    const unknown = await request(method, JSON.parse(JSON.stringify(params).replace(/change|one|ask/, 'none')));
    expect([method, body.error.code]).toEqual([method, unknown.body.error.code]);
  }
  const listed = ['resources/list', 'prompts/list'].map((method) => request(method, {}));
  for (const { text } of await Promise.all(listed)) expect(text).not.toMatch(/p:\/\/one|"ask"/);
});

it('a profile that is removed ends the sessions and streams of its URL, and of no other', async () => {
  const { url, reload } = await serve({ Auth: { Keys: [A] } });
  const headers = { ...(await session(`${url}/p/narrow`, KEYS.open)), authorization: `Bearer ${KEYS.open}` };
  const stream = await fetch(`${url}/p/narrow`, { headers: { ...headers, accept: 'text/event-stream' } });
  const other = await session(url, KEYS.open);
  reload({ Auth: { Keys: [A] }, Profiles: { other: SETTINGS.Profiles.other } });
  await stream.text().catch(() => {});
  expect(await statusOf(`${url}/p/narrow`, KEYS.open)).toBe(404);
  expect((await post(url, KEYS.open, { id: 1, method: 'tools/list' }, other)).status).toBe(200);
  // A session of that URL does not come back with the profile.
  reload({ Auth: { Keys: [A] } });
  await expect.poll(() => statusOf(`${url}/p/narrow`, KEYS.open)).toBe(200);
  expect((await post(`${url}/p/narrow`, KEYS.open, { id: 1, method: 'tools/list' }, headers)).status).toBe(404);
});

it('with a profile of --profile that is removed clients see nothing', async () => {
  const { url, reload, stderr } = await serve({ Auth: { Keys: [A] } }, ['--profile', 'narrow']);
  const headers = await session(url, KEYS.open);
  const nameOf = ({ body }: Reply) => body.result.tools.map(({ name }: { name: string }) => name);
  const list = async () => nameOf(await post(url, KEYS.open, { id: 1, method: 'tools/list' }, headers));
  expect(await list()).toEqual(['look']);
  reload({ Auth: { Keys: [A] }, Profiles: {} });
  await expect.poll(list).toEqual([]);
  const lists = ['resources/list', 'resources/templates/list', 'prompts/list'];
  for (const method of lists) {
    const { body } = await ask(url, KEYS.open, method);
    const items = Object.values(body.result).filter(Array.isArray).flat() as Record<string, string>[];
    const own = (uri?: string) => uri?.startsWith('mortise://') ?? false;
    expect(items.filter(({ uri, uriTemplate }) => !own(uri ?? uriTemplate))).toEqual([]);
  }
  expect((await ask(url, KEYS.open, 'tools/call', { name: 'look' })).body.error.code).toBe(-32602);
  expect((await ask(url, KEYS.open, 'resources/read', { uri: 'mortise://plugins' })).text).not.toContain('look');
  expect(stderr()).toContain("The profile 'narrow' of --profile is no longer in Profiles");
});

describe('access keys at a reload', () => {
  it('a key with another secret is another key', async () => {
    const { url, reload } = await serve({ Auth: { Keys: [A, B] } });
    const headers = { ...(await session(url, KEYS.open)), authorization: `Bearer ${KEYS.open}` };
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
    reload({ Auth: { Keys: [{ Name: 'a', Key: KEYS.reader }, B] } });
    await stream.text().catch(() => {});
    expect(await statusOf(url, KEYS.open)).toBe(401);
    expect(await statusOf(url, KEYS.reader)).toBe(200);
    expect((await post(url, KEYS.reader, { id: 1, method: 'tools/list' }, headers)).status).toBe(401);
  });

  it('a key that is given by its hash instead is the same key', async () => {
    const { url, reload, stderr } = await serve({ Auth: { Keys: [A] } });
    const headers = await session(url, KEYS.open);
    const Sha256 = createHash('sha256').update(KEYS.open).digest('hex');
    reload({ Auth: { Keys: [{ Name: 'a', Sha256 }] } });
    await expect.poll(stderr).toContain('plugins reloaded');
    expect((await post(url, KEYS.open, { id: 1, method: 'tools/list' }, headers)).status).toBe(200);
  });

  it('a server does not become open when its last key is removed', async () => {
    const { url, reload } = await serve({ Auth: { Keys: [A] } });
    reload({ Auth: { Keys: [] } });
    await expect.poll(() => statusOf(url, KEYS.open)).toBe(401);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    reload({ Auth: { Keys: [B] } });
    await expect.poll(() => statusOf(url, KEYS.zebra)).toBe(200);
  });

  it('a server without keys requires one when it gets keys, and its sessions end', async () => {
    const { url, reload } = await serve({});
    const headers = await session(url, '');
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } });
    reload({ Auth: { Keys: [A] } });
    await stream.text().catch(() => {});
    expect(await statusOf(url, KEYS.open)).toBe(200);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  });

  it('a key that has expired while the server ran does not keep others from being revoked', async () => {
    const expiring = { ...A, Expires: new Date(Date.now() + 5_000).toISOString() };
    const { url, reload } = await serve({ Auth: { Keys: [expiring, B] } });
    await expect.poll(() => statusOf(url, KEYS.open)).toBe(401);
    reload({ Auth: { Keys: [expiring] } });
    await expect.poll(() => statusOf(url, KEYS.zebra)).toBe(401);
  });

  it('settings that are wrong change nothing, and whoever reloads is told', async () => {
    const keys = [{ ...A, Scopes: ['mortise:operate'] }, B];
    const { url, workplace } = await serve({ Auth: { Keys: keys } });
    workplace.write('appsettings.json', JSON.stringify({ ...SETTINGS, Auth: { Keys: [keys[0], { Name: 'b' }] } }));
    const reload = () =>
      ask(url, KEYS.open, 'tools/call', { name: 'builtin_plugins', arguments: { action: 'Reload' } });
    const { text, body } = await reload();
    expect(text).toContain('SETTINGS_NOT_RELOADED');
    expect(text).toContain('Auth.Keys[1]');
    expect(body.result.structuredContent.formerSettings).toBe(true);
    expect(await statusOf(url, KEYS.zebra)).toBe(200);
    workplace.write('appsettings.json', JSON.stringify({ ...SETTINGS, Auth: { Keys: [keys[0]] } }));
    expect((await reload()).text).not.toContain('SETTINGS_NOT_RELOADED');
    expect(await statusOf(url, KEYS.zebra)).toBe(401);
  });
});
