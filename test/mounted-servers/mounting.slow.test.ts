import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stop } from '../support/clients.js';
import { codeOf, pluginsOf, textOf } from '../support/observe.js';
import { waitFor } from '../support/wait-for.js';
import { BIN, createWorkplace, ROOT } from '../support/workplace.js';
import { changeScripts, SCRIPTS } from './changed-scripts.js';
import { call, entry, HEADERS, mount, OFFICIAL, open, serverFile, startHttp, toolNames } from './mounted.js';

/** `npm ci --prefix bench` installs it. */
const HAS_FASTMCP = existsSync(`${ROOT}bench/node_modules/fastmcp`);

describe('mounting', () => {
  it('asks servers again whose script has changed, however it is named', () => changeScripts(SCRIPTS));

  it('waits for a server of 2026-07-28 alone that starts slowly', async () => {
    const client = await open(mount({ m: entry('slow-start', '4000') }));
    const isThere = () =>
      call(client, 'hello').then(
        (result) => codeOf(result) === undefined,
        () => false,
      );
    await waitFor(isThere);
    expect(textOf(await call(client, 'hello'))).toBe('at last');
  });

  it('asks a server that a reload names what it offers now', async () => {
    const workplace = mount({ m: entry('named') });
    const file = workplace.write('name', 'old');
    workplace.write(
      'appsettings.json',
      JSON.stringify({
        Plugins: { Directory: 'plugins', McpServers: { m: { ...entry('named'), env: { NAME_FILE: file } } } },
        Dotnet: { Enabled: false },
      }),
    );
    const client = await open(workplace);
    const names = () => toolNames(client);
    const reload = (args: object) =>
      client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload', ...args } });
    expect(await names()).toContain('mcp_m_old');
    workplace.write('name', 'new');
    expect(textOf(await reload({}))).toBe('Nothing has changed');
    expect(await names()).toContain('mcp_m_old');
    expect(textOf(await reload({ plugin: 'mcp.m' }))).toBe('changed: mcp.m');
    expect(await names()).toContain('mcp_m_new');
    expect(codeOf(await reload({ plugin: 'mcp.n' }))).toBe('INVALID_PARAMS');
  });

  it('offers what it can of a server whose lists cannot be read, and reads them again', async () => {
    const workplace = mount({});
    const file = workplace.write('state', 'fails');
    const more = { Plugins: { McpServers: { m: entry('broken-lists', file) } }, Dotnet: { Enabled: false } };
    workplace.write('appsettings.json', JSON.stringify(more));
    const client = await open(workplace);
    const listedNames = async () => {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      const { resources } = await client.listResources(undefined, { cacheMode: 'refresh' });
      return [...tools.map(({ name }) => name), ...resources.map(({ uri }) => uri)];
    };
    const problems = async () => (await pluginsOf(client))[0]!.problems.map(({ code }) => code);
    expect(await listedNames()).not.toContain('mcp_m_pid');
    expect(await listedNames()).toContain('thing://one');
    expect(await problems()).toEqual(['SERVER_LIST_FAILED']);
    workplace.write('state', 'works');
    await waitFor(async () => (await listedNames()).includes('mcp_m_pid'));
    expect(await problems()).toEqual([]);
    const pid = textOf(await call(client, 'pid'));
    workplace.write('state', 'fails');
    await client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload', plugin: 'mcp.m' } });
    expect(await listedNames()).toEqual(expect.arrayContaining(['mcp_m_pid', 'thing://one']));
    expect(await problems()).toEqual(['SERVER_LIST_FAILED']);
    expect(textOf(await call(client, 'pid'))).not.toBe(pid);
  });

  it('mounts a Mortise, whose own resources stay its own', async () => {
    const inner = createWorkplace(
      {
        'plugins/echo.cjs': `module.exports.register = (api) => api.registerTool({
        name: 'echo', description: 'd', inputSchema: { type: 'object' }, run: () => 'of the inner one' });`,
      },
      // A mounted server does not get the settings in the environment of this one.
      { Plugins: { Directory: 'plugins', StartWaitMs: 60_000 } },
    );
    const m = { command: process.execPath, args: [BIN, 'serve', '--config', inner.config] };
    const client = await open(mount({ m }));
    expect(textOf(await call(client, 'echo'))).toBe('of the inner one');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'mortise://plugins',
      'mortise://contract',
      'mortise://contract/schema',
    ]);
    const [plugin] = await pluginsOf(client);
    expect(new Set(plugin!.problems.map(({ code }) => code))).toEqual(new Set(['RESOURCE_URI_RESERVED']));
  });

  it('shows a server that does not start any more, until it does', async () => {
    const workplace = mount({ m: { command: process.execPath, args: ['server.mjs'] } });
    const works = `import ${JSON.stringify(serverFile('official'))};`;
    workplace.write('server.mjs', works);
    const client = await open(workplace);
    expect(textOf(await call(client, 'echo', { text: 'a' }))).toBe('a');
    workplace.write('server.mjs', 'throw new Error("half written")');
    expect(codeOf(await call(client, 'die'))).toBe('PLUGIN_CRASHED');
    const broken = await call(client, 'echo', { text: 'b' });
    expect(codeOf(broken)).toBe('PLUGIN_UNAVAILABLE');
    expect(textOf(broken)).toContain('half written');
    const problems = async () => (await pluginsOf(client))[0]!.problems.map(({ code }) => code);
    expect(await problems()).toEqual(['SERVER_NOT_CONNECTED']);
    workplace.write('server.mjs', works);
    await waitFor(async () => codeOf(await call(client, 'echo', { text: 'c' })) === undefined);
    expect(await problems()).toEqual([]);
  });

  it('finds a server by URL that is started later', async () => {
    const first = await startHttp([]);
    await stop(first.process);
    const client = await open(mount({ m: { url: first.url, headers: HEADERS } }));
    expect((await pluginsOf(client))[0]).toMatchObject({ state: 'failed' });
    await startHttp([], first.port);
    await waitFor(async () => (await pluginsOf(client))[0]!.state === 'loaded');
    expect(textOf(await call(client, 'echo', { text: 'late' }))).toBe('late');
  });

  it('pins definitions, and can refuse those that change', async () => {
    const workplace = mount({ m: OFFICIAL.modern }, { OnChange: 'refuse' });
    const client = await open(workplace);
    await client.listTools();
    await call(client, 'grow');
    await waitFor(async () =>
      (await pluginsOf(client)).some(({ problems }) => problems[0]?.code === 'PLUGIN_DEFINITION_CHANGED'),
    );
    expect(await toolNames(client)).toEqual(['builtin_plugins']);
    // A process that begins again offers what was trusted: it is asked by a reload, and at the next start.
    await client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload' } });
    expect(await toolNames(client)).toContain('mcp_m_grow');
    await call(client, 'grow');
    await waitFor(async () => (await toolNames(client)).length === 1);
    await client.close();
    expect(await toolNames(await open(workplace))).toContain('mcp_m_grow');
  });
});

describe.skipIf(!HAS_FASTMCP)('a server built with fastmcp 4 (bench/node_modules)', () => {
  it('is mounted like any other', async () => {
    const client = await open(mount({ m: entry('fastmcp') }));
    expect(textOf(await call(client, 'echo', { text: 'fast' }))).toBe('fast');
    expect(await client.readResource({ uri: 'fast://one' })).toMatchObject({ contents: [{ text: 'one' }] });
    expect(await client.getPrompt({ name: 'mcp.m.hello' })).toMatchObject({
      messages: [{ content: { text: 'Hello!' } }],
    });
  });
});
