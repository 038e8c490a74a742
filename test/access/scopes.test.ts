import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createClient, startHttp } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { ask, KEYS, post, type Reply, session, sharedServer } from './three-keys.js';

const call = (url: string, key: string, name: string, args: object = {}) =>
  ask(url, key, 'tools/call', { name, arguments: args });
const codeOf = ({ body }: Reply) => body.result?.structuredContent?.errors?.[0]?.code ?? body.error?.data?.code;

const url = sharedServer();

const PLUGIN = `export const register = (api) =>
  api.registerTool({ name: 'change', title: 'T', description: 'd', inputSchema: { type: 'object' }, run: () => 'done' });`;
const workplace = () =>
  createWorkplace({ 'plugins/p.mjs': PLUGIN }, { Plugins: { Directory: 'plugins' }, Dotnet: { Enabled: false } });

describe('scopes', () => {
  it('a tool that is not known to read needs mortise:write, and the error names it', async () => {
    const reply = await call(url(), KEYS.operator, 'zebra_change');
    expect(reply.body.result.isError).toBe(true);
    expect(reply.body.result.structuredContent.errors[0]).toMatchObject({
      code: 'SCOPE_MISSING',
      data: { additionalData: { requiredScope: 'mortise:write' } },
    });
    // It says of itself that it only reads, which the operator does not believe.
    expect(codeOf(await call(url(), KEYS.operator, 'zebra_look'))).toBe('SCOPE_MISSING');
    expect((await call(url(), KEYS.operator, 'open_look')).text).toContain('open looked');
    expect((await call(url(), KEYS.open, 'open_say')).text).toContain('said');
  });

  it('an action that only reads is known by its readOnlyHint, if the operator believes the plugin', async () => {
    const act = (tool: string, args: object) => call(url(), KEYS.operator, tool, args);
    expect((await act('open_both', { action: 'Read' })).text).toContain('open did Read');
    expect(codeOf(await act('open_both', { action: 'Write' }))).toBe('SCOPE_MISSING');
    expect(codeOf(await act('open_both', {}))).toBe('SCOPE_MISSING');
    expect(codeOf(await act('zebra_both', { action: 'Read' }))).toBe('SCOPE_MISSING');
  });

  it('an action that only reads except with some parameters needs mortise:write with these', async () => {
    const read = (key: string, more: object) => call(url(), key, 'open_both', { action: 'Read', ...more });
    const fix = await read(KEYS.operator, { fix: true });
    expect([fix.status, codeOf(fix)]).toEqual([403, 'SCOPE_MISSING']);
    expect(fix.body.result.structuredContent.errors[0].data.additionalData.requiredScope).toBe('mortise:write');
    for (const more of [{}, { fix: false }]) {
      expect((await read(KEYS.operator, more)).text).toContain('open did Read"');
    }
    expect((await read(KEYS.open, { fix: true })).text).toContain('open did Read and fixed');
  });

  it.each(['reader', 'viewer'] as const)('a profile that only reads has none of these parameters: %s', async (name) => {
    const { tools } = (await ask(url(), KEYS[name], 'tools/list')).body.result;
    const both = tools.find((tool: { name: string }) => tool.name === 'open_both');
    expect(Object.keys(both.inputSchema.properties)).toEqual(['action']);
    const reply = await call(url(), KEYS[name], 'open_both', { action: 'Read', fix: true });
    expect(reply.text).not.toContain('fixed');
    expect(codeOf(reply)).toBe('INVALID_PARAMS');
    expect((await call(url(), KEYS[name], 'open_both', { action: 'Read' })).text).toContain('open did Read');
  });

  it('reload and the state of plugins need mortise:operate', async () => {
    const plugins = (key: string, action: string) => call(url(), key, 'builtin_plugins', { action });
    for (const action of ['Status', 'Reload']) {
      expect(codeOf(await plugins(KEYS.open, action))).toBe('SCOPE_MISSING');
      expect((await plugins(KEYS.operator, action)).body.result.isError).toBeUndefined();
    }
    expect((await plugins(KEYS.open, 'List')).text).toContain('open');
    const read = async (key: string) =>
      JSON.parse((await ask(url(), key, 'resources/read', { uri: 'mortise://plugins' })).body.result.contents[0].text);
    expect(Object.keys((await read(KEYS.open))[0])).toEqual([
      'name',
      'state',
      'tools',
      'resources',
      'prompts',
      'problems',
    ]);
    expect((await read(KEYS.operator))[0]).toHaveProperty('path');
  });
});

describe('a request that is refused for a scope', () => {
  const refused = (scope: string) => ({
    status: 403,
    challenge: `Bearer realm="mortise", error="insufficient_scope", scope="${scope}"`,
  });

  it('is 403 in both versions, with a challenge and the error that names the scope', async () => {
    const stateless = await call(url(), KEYS.operator, 'zebra_change');
    const params = { name: 'builtin_plugins', arguments: { action: 'Reload' } };
    const headers = await session(url(), KEYS.open);
    const inSession = await post(url(), KEYS.open, { id: 1, method: 'tools/call', params }, headers);
    expect(stateless).toMatchObject(refused('mortise:write'));
    expect(inSession).toMatchObject(refused('mortise:operate'));
    expect([stateless, inSession].map(codeOf)).toEqual(['SCOPE_MISSING', 'SCOPE_MISSING']);
    expect(stateless.body.result.content[0].text).toContain('mortise:write');
  });

  it('tells the official client', async () => {
    const client = createClient('2025-11-25');
    const requestInit = { headers: { authorization: `Bearer ${KEYS.open}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url()), { requestInit }));
    const reload = client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload' } });
    await expect(reload).rejects.toThrow('mortise:operate');
    await client.close();
  });

  it('is not a request that may be made, or a tool that does not exist', async () => {
    expect(await call(url(), KEYS.operator, 'open_look')).toMatchObject({ status: 200, challenge: null });
    expect(await call(url(), KEYS.operator, 'none')).toMatchObject({ status: 200, challenge: null });
  });
});

describe('without keys', () => {
  it('a client on this machine may read and write, and not operate', async () => {
    const { url } = await startHttp(workplace());
    expect((await call(url, 'any', 'change')).text).toContain('done');
    const refused = await call(url, 'any', 'builtin_plugins', { action: 'Reload' });
    expect(codeOf(refused)).toBe('SCOPE_MISSING');
    // There is no key that it could ask for.
    expect(refused).toMatchObject({ status: 200, challenge: null });
  });
});

describe('a key that may not read', () => {
  it('gets no resource, prompt or completion', async () => {
    const { url } = await startHttp(
      createWorkplace(
        {
          'plugins/p.mjs': `export const register = (api) => {
            api.registerResource({ uri: 'p://one', name: 'one', read: () => 'x' });
            api.registerPrompt({ name: 'ask', description: 'd', arguments: [{ name: 'a', complete: () => ['x'] }], get: () => 'x' });
          };`,
        },
        {
          Plugins: { Directory: 'plugins' },
          Dotnet: { Enabled: false },
          Auth: { Keys: [{ Name: 'a', Key: KEYS.open, Scopes: ['mortise:operate'] }] },
        },
      ),
    );
    const ref = { type: 'ref/prompt', name: 'ask' };
    const replies = [
      await ask(url, KEYS.open, 'resources/read', { uri: 'p://one' }),
      await ask(url, KEYS.open, 'resources/read', { uri: 'mortise://plugins' }),
      await ask(url, KEYS.open, 'resources/read', { uri: 'mortise://outputs/x' }),
      await ask(url, KEYS.open, 'prompts/get', { name: 'ask' }),
      await ask(url, KEYS.open, 'completion/complete', { ref, argument: { name: 'a', value: '' } }),
    ];
    expect(replies.map(codeOf)).toEqual(Array(5).fill('SCOPE_MISSING'));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(403));
  });
});
