import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shared, stop } from '../support/clients.js';
import { codeOf, pluginsOf, textOf } from '../support/observe.js';
import { CAN_SEE_PROCESSES, processesOf } from '../support/processes.js';
import { waitFor } from '../support/wait-for.js';
import { BIN, createWorkplace, ROOT } from '../support/workplace.js';
import { call, entry, HEADERS, mount, OFFICIAL, open, serverFile, startHttp, toolNames } from './mounted.js';

describe('mounting', () => {
  it('starts nothing when the lists are remembered, until a tool is called', async () => {
    const workplace = mount({ m: OFFICIAL.modern });
    const first = await open(workplace);
    const { tools } = await first.listTools();
    await first.close();
    const client = await open(workplace);
    expect((await client.listTools()).tools).toEqual(tools);
    if (CAN_SEE_PROCESSES)
      expect(processesOf(workplace).filter(({ command }) => command.includes('official.mjs'))).toEqual([]);
    expect(textOf(await call(client, 'echo', { text: 'now' }))).toBe('now');
  });

  it('shows servers that cannot be started, and why', async () => {
    const servers = {
      missing: { command: 'no-such-program' },
      dies: { command: process.execPath, args: ['-e', 'console.error("no token given"); process.exit(3)'] },
      untried: { command: process.execPath, args: ['a\0b'] },
      away: { url: 'http://127.0.0.1:9/mcp' },
      'two words': OFFICIAL.modern,
      m: OFFICIAL.modern,
    };
    const client = await open(mount(servers));
    const plugins = await pluginsOf(client);
    const states = plugins.map(({ name, state, problems }) => [name, state, problems[0]?.code]);
    expect(states).toEqual([
      ['mcp.away', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.dies', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.m', 'loaded', undefined],
      ['mcp.missing', 'failed', 'SERVER_NOT_CONNECTED'],
      ['mcp.two words', 'failed', 'SERVER_NAME_INVALID'],
      ['mcp.untried', 'failed', 'SERVER_NOT_CONNECTED'],
    ]);
    expect(JSON.stringify(plugins)).toContain('no token given');
  });

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

  it('asks a server again whose script has changed', async () => {
    /** The arguments that start a server, and its script. */
    const scripts: Record<string, [args: string[], file: string]> = {
      second: [['--import', './hook.mjs', 'server.mjs'], 'server.mjs'],
      folder: [['server'], 'server/index.mjs'],
      own: [['.'], 'index.js'],
    };
    const servers = Object.entries(scripts).map(([name, [args]]) => [name, { command: process.execPath, args }]);
    const workplace = mount(Object.fromEntries(servers));
    workplace.write('hook.mjs', '');
    workplace.write('server/package.json', '{ "main": "index.mjs" }');
    const writeScripts = (tool: string) => {
      const name = JSON.stringify(workplace.write(tool, tool));
      for (const [, file] of Object.values(scripts))
        workplace.write(file, `process.env.NAME_FILE = ${name}; import(${JSON.stringify(serverFile('named'))});`);
    };
    const names = async () => {
      const client = await open(workplace);
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_'));
    };
    writeScripts('old');
    expect(await names()).toEqual(['mcp_folder_old', 'mcp_own_old', 'mcp_second_old']);
    writeScripts('newer');
    expect(await names()).toEqual(['mcp_folder_newer', 'mcp_own_newer', 'mcp_second_newer']);
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
    expect(resources.map(({ uri }) => uri)).toEqual(['mortise://plugins', 'mortise://contract']);
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

describe('two servers with the same resources', () => {
  const opened = shared(async (finished) => {
    const modern = { ...OFFICIAL.modern, env: { UPSTREAM_TOKEN: 'abcdefgh' } };
    const workplace = mount({ m: modern, other: OFFICIAL.legacy }, {}, finished);
    Object.assign(workplace.env, { HIDDEN: 'of the server' });
    return open(workplace, '2025-11-25', {}, undefined, finished);
  });

  it('get the usual environment and what their entry names, whose secrets are not shown', async () => {
    expect(textOf(await call(opened(), 'token'))).toBe('it is [REDACTED], and HIDDEN is undefined');
  });

  it('have the first of two resources of one URI, and the other is shown', async () => {
    const { resources } = await opened().listResources();
    expect(resources.filter(({ uri }) => uri === 'note://today')).toHaveLength(1);
    const plugins = await pluginsOf(opened());
    expect(plugins.map(({ name, problems }) => [name, problems.map(({ code }) => code)])).toEqual([
      ['mcp.m', []],
      ['mcp.other', ['RESOURCE_DUPLICATE', 'RESOURCE_DUPLICATE']],
    ]);
  });
});

/** `npm ci --prefix bench` installs it. */
const HAS_FASTMCP = existsSync(`${ROOT}bench/node_modules/fastmcp`);

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
