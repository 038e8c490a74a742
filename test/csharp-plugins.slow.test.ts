import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../packages/dotnet/test/sdk.js';
import { makeNative } from '../packages/server/test/plugins/find/make-assembly.js';
import { leaksIn, stringsOf, TEXTS } from './security/exits/leaky-files.js';
import { connect, shared, VERSIONS, type Version } from './support/clients.js';
import { buildCsharpPlugins, csharpPlugin, installCsharp } from './support/csharp.js';
import { codeOf, logOf, pluginsOf, progressOf, textOf } from './support/observe.js';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace, type Finished, ROOT, type Workplace } from './support/workplace.js';

beforeAll(buildCsharpPlugins, 600_000);

const TOOLS = [
  ...[
    'caller',
    'config',
    'die',
    'echo',
    'fail',
    'flood',
    'given',
    'hog',
    'keep',
    'left_behind',
    'print',
    'steps',
    'wait',
  ],
].map((name) => `kit_${name}`);

interface Installed {
  /** Project → folder in the plugins folder. */
  projects?: Record<string, string>;
  files?: Record<string, string>;
  settings?: object;
  output?: object;
}

function install(
  { projects = { Kit: 'Kit' }, files = {}, settings = {}, output = {} }: Installed = {},
  finished?: Finished,
): Workplace {
  const workplace = createWorkplace(
    files,
    { Plugins: { Directory: 'plugins', ...settings }, Output: output },
    finished,
  );
  for (const [project, folder] of Object.entries(projects)) installCsharp(workplace, project, folder);
  return workplace;
}

function open(
  workplace: Workplace,
  version: Version = '2025-11-25',
  flags: string[] = [],
  finished?: Finished,
): Promise<Client> {
  return connect(workplace, { transport: 'stdio', version }, undefined, undefined, flags, finished);
}

const call = (client: Client, name: string, args: Record<string, unknown> = {}, options = {}) =>
  client.callTool({ name: `kit_${name}`, arguments: args }, options);

const hostsOf = (workplace: Workplace) =>
  processesOf(workplace).filter(({ command }) => command.includes('Mortise.PluginHost.dll'));

async function toolsOf(client: Client): Promise<string[]> {
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
  return tools.map(({ name }) => name).filter((name) => name !== 'builtin_plugins');
}

const dotnet = (...args: string[]) => spawnSync('dotnet', args, { encoding: 'utf8' }).stdout;

const reload = (client: Client) => client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload' } });

const JS_TOOL = (name: string) =>
  `exports.register = (api) => api.registerTool({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, run: () => 'from JavaScript' });`;

for (const version of VERSIONS) {
  describeWithSdk(`a C# plugin and a client of ${version}`, () => {
    const opened = shared((finished) => open(install({}, finished), version, [], finished));

    it('has its own names, arguments as C# has them, and its errors', async () => {
      const client = opened();
      expect(await toolsOf(client)).toEqual(TOOLS);
      expect(textOf(await call(client, 'echo', { text: 'hi', count: 2 }))).toBe('text String hi, count Double 2');
      expect(codeOf(await call(client, 'echo', { count: 2 }))).toBe('INVALID_PARAMS');
    });

    it('reports progress', async () => {
      const client = opened();
      const seen = progressOf(client);
      await call(client, 'steps', {}, { onprogress() {} });
      expect(seen).toEqual([
        { progress: 25, total: 100, message: 'one' },
        { progress: 50, total: 100, message: 'two' },
        { progress: 75, total: 100, message: 'three' },
      ]);
    });

    it('hears of a cancel, and continues', async () => {
      const client = opened();
      const lines = logOf(client);
      const controller = new AbortController();
      const waiting = call(client, 'wait', {}, { signal: controller.signal });
      await waitFor(() => lines().includes('waiting'));
      controller.abort();
      await expect(waiting).rejects.toThrow();
      await waitFor(() => lines().includes('the wait was cancelled'));
      expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 1, old parts');
    });
  });
}

describeWithSdk('a C# plugin', () => {
  const opened = shared((finished) => open(install({}, finished), undefined, [], finished));

  it('lets no secret out by a result or an exception', async () => {
    const client = opened();
    const log = logOf(client);
    const messages: unknown[] = [];
    for (let at = 0; at < TEXTS.length; at += 6) {
      messages.push(await call(client, 'echo', { text: `\n${TEXTS[at]}` }));
      messages.push(await call(client, 'fail', { how: `throw ${TEXTS[at]}` }));
    }
    expect(JSON.stringify(messages)).toContain('TOOL_EXCEPTION');
    expect(leaksIn(stringsOf(messages) + log())).toEqual([]);
  });

  it('has null where the client sends no arguments', async () => {
    const client = opened();
    expect(textOf(await client.callTool({ name: 'kit_given' }))).toBe('null');
    expect(textOf(await call(client, 'given'))).toBe('0');
    expect(textOf(await call(client, 'given', { machineReadable: true }))).toContain('"output":"0"');
    expect(textOf(await call(client, 'given', { a: 1 }))).toBe('1');
  });

  it('has a configuration of any length, and others cannot see it', async () => {
    const Config = { api_key: 'key-of-the-plugin', long: 'ä'.repeat(300_000) };
    const workplace = install({ settings: { Config }, output: { MaxTextChars: 1_000_000 } });
    const client = await open(workplace);
    expect(textOf(await call(client, 'config', { key: 'long' })).length).toBe(300_000);
    expect(textOf(await call(client, 'config', { key: 'api_key' }))).toBe('[REDACTED]');
    if (process.platform !== 'linux') return;
    const [host] = hostsOf(workplace);
    expect(readFileSync(`/proc/${host!.pid}/environ`, 'utf8')).not.toContain('key-of-the-plugin');
    expect(host!.command).not.toContain('key-of-the-plugin');
  });

  it('has half a surrogate pair as U+FFFD', async () => {
    const client = opened();
    const args = { text: 'a\ud83db \ud83d\ude00', 'c\ude00': ['\ud83d'] };
    const result = await call(client, 'echo', args);
    expect(textOf(result)).toBe('text String a\ufffdb \ud83d\ude00, c\ufffd String ["\\uFFFD"]');
  });

  it('has its configuration', async () => {
    const Config = { api_key: 'k1', On: true, section: { Sub: 5 }, list: ['a'] };
    const client = await open(install({ settings: { Config } }));
    const keys = ['API_KEY', 'on', 'section:sub', 'list:0', 'section', 'missing'];
    const values = await Promise.all(keys.map((key) => call(client, 'config', { key })));
    expect(values.map(textOf)).toEqual(['k1', 'True', '5', 'a', 'null', 'null']);
  });

  it('has its section of Plugins.Settings before Plugins.Config, also after a change', async () => {
    const Config = { api_key: 'k1', On: true, list: ['a', 'b'] };
    const keys = ['API_KEY', 'on', 'list:0', 'list:1'];
    const workplace = install({
      settings: { Config, Settings: { KIT: { On: false, list: ['c'] } }, LoadTimeoutMs: 60_000 },
    });
    const client = await open(workplace);
    const values = async () => (await Promise.all(keys.map((key) => call(client, 'config', { key })))).map(textOf);
    expect(await values()).toEqual(['k1', 'False', 'c', 'null']);
    const settings = JSON.parse(readFileSync(workplace.config, 'utf8'));
    settings.Plugins.Settings.KIT = { api_key: 'k2' };
    workplace.write('appsettings.json', JSON.stringify(settings));
    await client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload' } });
    expect(await values()).toEqual(['k2', 'True', 'a', 'b']);
  });

  it('has the codes that any tool has', async () => {
    const client = opened();
    const fail = async (how: string) => {
      const result = await call(client, 'fail', { how });
      return (result.structuredContent as { errors: Record<string, string>[] }).errors[0]!;
    };
    const thrown = await fail('throw');
    expect(thrown).toMatchObject({ code: 'TOOL_EXCEPTION', message: 'System.InvalidOperationException: It broke' });
    expect(thrown.rawOutput).toMatch(/^System\.InvalidOperationException: It broke\n {3}at Kit\.Fail\.ExecuteAsync/);
    expect(thrown.hint).toContain('return a ToolCallResult with IsError = true');
    const returned = {
      null: '',
      block: '{"content":[{"type":"video"}],"isError":false}',
      'null block': '{"content":[null],"isError":false}',
    };
    for (const [how, rawOutput] of Object.entries(returned)) {
      expect(await fail(how), how).toMatchObject({
        code: 'TOOL_INVALID_RESULT',
        hint: expect.stringContaining('Return a ToolCallResult whose Content has blocks'),
        rawOutput,
      });
    }
    expect(await fail('error')).toMatchObject({ code: 'TOOL_ERROR', message: 'It failed' });
  });

  it('may log in a constructor: level and class stay', async () => {
    const client = await open(install());
    const lines = logOf(client);
    await call(client, 'given');
    await waitFor(() => lines().includes('made by its constructor'));
    const line = lines()
      .split('\n')
      .find((text) => text.includes('made by its constructor'))!;
    expect(JSON.parse(line)).toMatchObject({ level: 40, msg: 'made by its constructor', plugin: 'Kit/Kit.Fail' });
  });

  it('may report and log in a loop', async () => {
    // Of its log lines some are left out, also of those that come soon after.
    const client = await open(install());
    expect(textOf(await call(client, 'flood', {}, { onprogress() {} }))).toBe('flooded');
  });

  it('may print: the log has it, the protocol does not', async () => {
    const client = opened();
    const lines = logOf(client);
    expect(textOf(await call(client, 'print'))).toBe('printed');
    await waitFor(() => lines().includes('a line on the console'));
  });
});

describeWithSdk('which assemblies are plugins', () => {
  it('takes a file with what lies beside it, and ignores what is not a plugin', async () => {
    const workplace = install({ projects: { Kit: '', Bare: '' } });
    writeFileSync(join(workplace.folder, 'plugins/native.dll'), makeNative());
    const client = await open(workplace);
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 1, old parts');
    expect((await pluginsOf(client)).map(({ name, kind, state }) => ({ name, kind, state }))).toEqual([
      { name: 'Kit', kind: 'dotnet', state: 'loaded' },
    ]);
  });

  it('follows a link to where the plugin was built', async () => {
    const workplace = createWorkplace();
    symlinkSync(join(csharpPlugin('Kit'), 'Kit.dll'), join(workplace.folder, 'plugins/Linked.dll'));
    const client = await open(workplace);
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 1, old parts');
  });

  it('says what is wrong with a broken one, and serves the others', async () => {
    const workplace = install({ projects: { Kit: '', Flawed: 'broken' }, files: { 'plugins/Text.dll': 'not found' } });
    const file = join(workplace.folder, 'plugins/broken/Flawed.dll');
    truncateSync(file, 3000);
    const client = await open(workplace);
    expect(await toolsOf(client)).toEqual(TOOLS);
    expect(await pluginsOf(client)).toMatchObject([
      { name: 'Kit', state: 'loaded', problems: [] },
      { name: 'Text', state: 'failed', problems: [{ code: 'PLUGIN_SYNTAX_ERROR' }] },
      {
        name: 'broken',
        state: 'failed',
        problems: [
          {
            code: 'PLUGIN_SYNTAX_ERROR',
            message: expect.stringMatching(
              /^'Flawed.dll' is not a valid .NET assembly: it has 3000 bytes, and should have \d+/,
            ),
            hint: expect.stringContaining('Build the plugin again'),
            location: { file },
          },
        ],
      },
    ]);
  });

  it('offers the other classes where one throws in its constructor', async () => {
    const client = await open(install({ projects: { Flawed: 'Flawed' } }));
    expect(await toolsOf(client)).toEqual(['kit_fine']);
    const [flawed] = await pluginsOf(client);
    expect(flawed).toMatchObject({
      problems: [
        {
          code: 'CLASS_CONSTRUCTOR_THREW',
          message: expect.stringContaining('api_key must be set'),
          location: { file: expect.stringMatching(/\.cs$/), line: expect.any(Number), subject: 'Flawed.Throws' },
        },
      ],
    });
  });

  it('refuses a tool whose name another plugin has', async () => {
    const client = await open(install({ files: { 'plugins/A.cjs': JS_TOOL('kit_echo') } }));
    expect(textOf(await call(client, 'echo'))).toBe('from JavaScript');
    const kit = (await pluginsOf(client)).find(({ name }) => name === 'Kit');
    expect(kit!.problems).toMatchObject([
      { code: 'TOOL_NAME_DUPLICATE', message: expect.stringContaining('A.cjs'), location: { subject: 'kit_echo' } },
    ]);
  });

  it('says which assembly is missing beside it, until it is there', async () => {
    const workplace = createWorkplace();
    const copy = (name: string) =>
      copyFileSync(join(csharpPlugin('Kit'), name), join(workplace.folder, 'plugins', name));
    copy('Kit.dll');
    const client = await open(workplace);
    const needsParts = async () => codeOf(await call(client, 'wait', { ms: 1 }));
    expect(await needsParts()).toBe('TOOL_EXCEPTION');
    copy('KitParts.dll');
    expect(textOf(await reload(client))).toBe('changed: Kit');
    expect(await needsParts()).toBeUndefined();
  });
});

describeWithSdk('a C# plugin that is built again while it is served', () => {
  const rebuild = (workplace: Workplace) =>
    cpSync(csharpPlugin('KitNext'), join(workplace.folder, 'plugins/Kit'), { recursive: true });

  it('takes over at a reload: running calls end on the old, which is then disposed of', async () => {
    const workplace = createWorkplace();
    const disposals = join(workplace.folder, 'disposals.txt');
    const config = {
      Plugins: { Directory: 'plugins', Config: { dispose_file: disposals } },
      Dotnet: { Enabled: false },
    };
    writeFileSync(workplace.config, JSON.stringify(config));
    writeFileSync(disposals, '');
    installCsharp(workplace, 'Kit', 'Kit');
    const client = await open(workplace);
    await toolsOf(client);
    writeFileSync(disposals, '');
    const running = call(client, 'wait', { ms: 4000 });
    await call(client, 'keep');
    rebuild(workplace);
    expect(textOf(await reload(client))).toBe('changed: Kit');
    expect(await toolsOf(client)).toEqual(['kit_added', ...TOOLS]);
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 2, old parts');
    expect(textOf(await running)).toBe('version 1, old parts');
    await waitFor(() => readFileSync(disposals, 'utf8').includes('disposed 1'));
  });

  it.skipIf(process.platform === 'win32')('takes over at SIGHUP where there is no terminal', async () => {
    const workplace = install();
    const client = await open(workplace);
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 1, old parts');
    rebuild(workplace);
    process.kill((client.transport as StdioClientTransport).pid!, 'SIGHUP');
    await waitFor(async () => (await toolsOf(client)).includes('kit_added'));
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 2, old parts');
  });

  it('takes over by itself with --watch, whole', async () => {
    const workplace = install();
    const client = await open(workplace, '2025-11-25', ['--watch']);
    await toolsOf(client);
    const file = join(workplace.folder, 'plugins/Kit/Kit.dll');
    const bytes = readFileSync(join(csharpPlugin('KitNext'), 'Kit.dll'));
    // As a slow copy does it.
    for (const end of [1000, 4000, bytes.length]) {
      writeFileSync(file, bytes.subarray(0, end));
      await delay(80);
    }
    await waitFor(async () => (await toolsOf(client)).includes('kit_added'));
    const [kit] = await pluginsOf(client);
    expect(kit!.problems.map(({ code }) => code)).toEqual(['PLUGIN_DEFINITION_CHANGED']);
  });

  it('is loaded again when a dependency beside it is', async () => {
    const workplace = install({ projects: { Kit: '' } });
    const client = await open(workplace);
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 1, old parts');
    copyFileSync(join(csharpPlugin('KitPartsNext'), 'KitParts.dll'), join(workplace.folder, 'plugins/KitParts.dll'));
    expect(textOf(await reload(client))).toBe('changed: Kit');
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 1, new parts');
  });

  it('stays as it was while it is half written, and comes when it is whole', async () => {
    const workplace = install();
    const client = await open(workplace);
    await call(client, 'echo', { text: '' });
    truncateSync(join(workplace.folder, 'plugins/Kit/Kit.dll'), 2000);
    expect(textOf(await reload(client))).toContain('failed: Kit');
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 1, old parts');
    expect(await toolsOf(client)).toEqual(TOOLS);
    expect(await pluginsOf(client)).toMatchObject([{ state: 'loaded', problems: [{ code: 'PLUGIN_SYNTAX_ERROR' }] }]);
    rebuild(workplace);
    expect(textOf(await reload(client))).toBe('changed: Kit');
    expect(textOf(await call(client, 'wait', { ms: 1 }))).toBe('version 2, old parts');
  });
});

describeWithSdk('the process of a C# plugin', () => {
  it.skipIf(!CAN_SEE_PROCESSES)('is killed during a hundred calls: each ends with PLUGIN_CRASHED', async () => {
    const workplace = install({ settings: { MaxConcurrentCalls: 100 } });
    const client = await open(workplace);
    await call(client, 'echo', { text: '' });
    const lines = logOf(client);
    const calls = Array.from({ length: 100 }, () => call(client, 'wait'));
    await waitFor(() => lines().split('waiting').length > 100);
    process.kill(hostsOf(workplace)[0]!.pid, 'SIGKILL');
    expect(new Set((await Promise.all(calls)).map(codeOf))).toEqual(new Set(['PLUGIN_CRASHED']));
    expect(textOf(await call(client, 'echo', { text: 'again' }))).toBe('text String again');
    await client.close();
    await expect.poll(() => processesOf(workplace), { timeout: 5000 }).toEqual([]);
  });

  it('ends with its plugin, which says why', async () => {
    const client = await open(install());
    const died = await call(client, 'die');
    expect(codeOf(died)).toBe('PLUGIN_CRASHED');
    expect(textOf(died)).toContain('it called Environment.FailFast: out of cheese');
    expect(textOf(await call(client, 'echo', { text: 'again' }))).toBe('text String again');
  });

  it('may not use more memory than any plugin', async () => {
    const client = await open(install());
    const hogged = await call(client, 'hog');
    expect(codeOf(hogged)).toBe('PLUGIN_CRASHED');
    expect(textOf(hogged)).toContain('Plugins.MaxMemoryMb allows 256');
    expect(textOf(await call(client, 'echo', { text: 'again' }))).toBe('text String again');
  });

  it.skipIf(!CAN_SEE_PROCESSES)('starts with the first call, gives way to the server, and ends when idle', async () => {
    const workplace = install({ settings: { IdleMs: 400 } });
    const client = await open(workplace);
    await toolsOf(client);
    await expect.poll(() => hostsOf(workplace), { timeout: 5000 }).toEqual([]);
    await call(client, 'echo', { text: '' });
    expect(hostsOf(workplace)).toMatchObject([{ nice: 10 }]);
    await expect.poll(() => hostsOf(workplace)).toEqual([]);
    expect(textOf(await call(client, 'echo', { text: 'again' }))).toBe('text String again');
  });

  it.skipIf(!CAN_SEE_PROCESSES)('is not needed for a list that is known', async () => {
    const workplace = install();
    await (await openAndList(workplace)).close();
    const client = await open(workplace);
    expect(await toolsOf(client)).toEqual(TOOLS);
    expect(hostsOf(workplace)).toEqual([]);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('does not outlive a server that is killed', async () => {
    const workplace = install();
    const client = await open(workplace);
    await call(client, 'echo', { text: '' });
    const [server] = processesOf(workplace).filter(({ command }) => command.includes('mortise.mjs'));
    process.kill(server!.pid, 'SIGKILL');
    await expect.poll(() => processesOf(workplace), { timeout: 5000 }).toEqual([]);
  });
});

async function openAndList(workplace: Workplace): Promise<Client> {
  const client = await open(workplace);
  await toolsOf(client);
  return client;
}

describeWithSdk('a C# plugin that needs ASP.NET Core', () => {
  const query = async (client: Client) => textOf(await client.callTool({ name: 'kit_query', arguments: {} }));

  it('has it, whether its runtimeconfig.json says so or its references', async () => {
    const workplace = install({ projects: { Web: 'Web' } });
    expect(await query(await open(workplace))).toBe('?a=b%20c');
    rmSync(join(workplace.folder, 'plugins/Web/Web.runtimeconfig.json'));
    expect(await query(await open(workplace))).toBe('?a=b%20c');
  });

  it.skipIf(process.platform === 'win32')('says that it is missing where it is, and the others work', async () => {
    const workplace = install({ projects: { Web: 'Web', Kit: 'Kit' } });
    const [, folder = ''] = /^Microsoft\.NETCore\.App .* \[(.+)\]$/m.exec(dotnet('--list-runtimes')) ?? [];
    const root = join(workplace.folder, 'dotnet');
    mkdirSync(join(root, 'shared'), { recursive: true });
    symlinkSync(join(folder, '../../host'), join(root, 'host'));
    symlinkSync(folder, join(root, 'shared/Microsoft.NETCore.App'));
    copyFileSync(join(folder, '../../dotnet'), join(root, 'dotnet'));
    writeFileSync(workplace.config, JSON.stringify({ Plugins: { Directory: 'plugins' }, Dotnet: { Path: root } }));
    const client = await open(workplace);
    expect(textOf(await call(client, 'echo', { text: 'x' }))).toBe('text String x');
    const web = (await pluginsOf(client)).find(({ name }) => name === 'Web');
    expect(web).toMatchObject({
      state: 'failed',
      problems: [
        {
          code: 'DOTNET_NOT_AVAILABLE',
          message: 'The plugin needs Microsoft.AspNetCore.App, which is not installed',
          hint: expect.stringContaining('Install'),
        },
      ],
    });
  });
});

describeWithSdk('without .NET on PATH', () => {
  const without = (workplace: Workplace): Workplace => ({
    ...workplace,
    env: { ...workplace.env, PATH: workplace.folder },
  });

  it('C# plugins are shown with what to do, and the others work', async () => {
    const workplace = without(install({ files: { 'plugins/a.cjs': JS_TOOL('other') } }));
    const client = await open(workplace);
    expect(await toolsOf(client)).toEqual(['other']);
    const kit = (await pluginsOf(client)).find(({ name }) => name === 'Kit');
    expect(kit).toMatchObject({
      kind: 'dotnet',
      state: 'failed',
      problems: [{ code: 'DOTNET_NOT_AVAILABLE', hint: expect.stringContaining('Install .NET 8 or later') }],
    });
  });

  it('a tool that is known ends with CAPABILITY_NOT_AVAILABLE, until .NET is there', async () => {
    const workplace = install({ files: { 'plugins/a.cjs': JS_TOOL('other') } });
    await (await openAndList(workplace)).close();
    const client = await open(without(workplace));
    expect(await toolsOf(client)).toEqual([...TOOLS, 'other']);
    const kit = (await pluginsOf(client)).find(({ name }) => name === 'Kit');
    expect(kit).toMatchObject({ state: 'loaded', problems: [{ code: 'DOTNET_NOT_AVAILABLE' }] });
    const failed = await call(client, 'echo', { text: 'x' });
    expect(codeOf(failed)).toBe('CAPABILITY_NOT_AVAILABLE');
    expect(textOf(failed)).toContain('Install .NET 8 or later');
    expect(textOf(await client.callTool({ name: 'other', arguments: {} }))).toBe('from JavaScript');
    const dotnet = process.env
      .PATH!.split(delimiter)
      .map((folder) => join(folder, 'dotnet'))
      .find(existsSync);
    symlinkSync(realpathSync(dotnet!), join(workplace.folder, 'dotnet'));
    expect(textOf(await reload(client))).toBe('changed: Kit');
    expect(textOf(await call(client, 'echo', { text: 'x' }))).toBe('text String x');
    expect((await pluginsOf(client)).find(({ name }) => name === 'Kit')).toMatchObject({ problems: [] });
  });
});

describeWithSdk('the package McpServer.Plugin.Abstractions', () => {
  it('is made by dotnet pack, and a plugin is built with it by its README', async () => {
    const workplace = createWorkplace({}, { Plugins: { Directory: 'plugins' } });
    const { folder } = workplace;
    const feed = join(folder, 'feed');
    const sources = join(ROOT, 'dotnet');
    const project = join(sources, 'McpServer.Plugin.Abstractions');
    // Without a further node of MSBuild, and without analyzers: a third of the processor time.
    const once = ['--disable-build-servers', '-m:1', '-p:RunAnalyzers=false'];
    const made = ['--output', feed, '--artifacts-path', join(folder, 'made')];
    const packed = spawnSync('dotnet', ['pack', sources, ...made, ...once], { encoding: 'utf8' });
    expect(packed.status, packed.stdout).toBe(0);
    expect(readdirSync(feed)).toEqual(['McpServer.Plugin.Abstractions.1.0.0.nupkg']);

    const [, code] = /```csharp\n([\s\S]*?)```/.exec(readFileSync(join(project, 'README.md'), 'utf8'))!;
    const own = join(folder, 'greeting');
    mkdirSync(own);
    writeFileSync(join(own, 'Greeting.cs'), code!);
    const [, csproj] = /```xml\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/csharp-plugins.md'), 'utf8'))!;
    writeFileSync(join(own, 'greeting.csproj'), csproj!);
    const built = spawnSync(
      'dotnet',
      [
        'build',
        own,
        '--output',
        join(folder, 'plugins/greeting'),
        ...once,
        `-p:RestoreAdditionalProjectSources=${feed}`,
        // Not the copy of another run that has the same version.
        `-p:RestorePackagesPath=${join(folder, 'packages')}`,
      ],
      { encoding: 'utf8' },
    );
    expect(built.status, built.stdout).toBe(0);
    const client = await open(workplace);
    expect(await toolsOf(client)).toEqual(['greeting']);
    expect(textOf(await client.callTool({ name: 'greeting', arguments: { person: 'Ada' } }))).toBe('Hello, Ada!');
  });
});
