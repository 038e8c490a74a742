import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../packages/dotnet/test/sdk.js';
import { VERSIONS } from './support/clients.js';
import { buildPluginHost, fixture, HOST, listProblems, openHost } from './support/plugin-host.js';

async function toolsOf(dll: string) {
  const { client } = await openHost(dll, { config: { suffix: 'x' } });
  const { tools } = await client.listTools();
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
}

describeWithSdk('the host of C# plugins', () => {
  beforeAll(buildPluginHost, 600_000);

  it.each(VERSIONS)('gives arguments as the published host does (%s)', async (version) => {
    const { call } = await openHost(fixture('Toolbox'), { version });
    const args = { text: 'a', whole: 1, half: 1.5, yes: true, none: null, list: [1, { b: 2 }], object: { c: 'd' } };
    expect((await call('arguments', args)).split('\n')).toEqual([
      'text String a',
      'whole Double 1',
      'half Double 1.5',
      'yes Boolean True',
      'none null ',
      'list String [1,{"b":2}]',
      'object String {"c":"d"}',
    ]);
    expect(await call('arguments')).toBe('null');
    expect(await call('arguments', {})).toBe('');
  });

  it.each(VERSIONS)('passes on every kind of content (%s)', async (version) => {
    const { client } = await openHost(fixture('Toolbox'), { version });
    const { content, isError } = await client.callTool({ name: 'returns', arguments: { kind: 'blocks' } });
    expect(isError).toBeFalsy();
    expect(content).toEqual([
      { type: 'text', text: 'text' },
      { type: 'image', data: 'aW1hZ2U=', mimeType: 'image/png' },
      { type: 'audio', data: 'YXVkaW8=', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'text' } },
      { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'YmxvYg==' } },
      { type: 'resource_link', uri: 'file:///b.txt', name: 'file:///b.txt' },
    ]);
  });

  it.each([
    ['error', true, 'It failed'],
    ['nothing', true, /returned null/],
    ['null content', true, /Content is null/],
    ['null block', true, /malformed content block: it is null/],
    ['null text', false, ''],
    ['unknown type', true, /Type is 'video'/],
    ['image without data', true, /Data of its image is null/],
    ['image without type', true, /MimeType of its image is missing/],
    ['image that is not base64', true, /malformed content block/],
    ['resource without uri', true, /Uri of its resource is missing/],
    ['throws', true, 'System.InvalidOperationException: It broke'],
    ['throws inside', true, 'System.InvalidOperationException: It broke inside'],
    ['times out', true, 'System.Threading.Tasks.TaskCanceledException: It took too long'],
  ])('makes a result of: %s', async (kind, isError, text) => {
    const { client } = await openHost(fixture('Toolbox'));
    const result = await client.callTool({ name: 'returns', arguments: { kind } });
    const [block] = result.content as { text: string }[];
    expect(result.isError ?? false).toBe(isError);
    if (typeof text === 'string') expect(block!.text).toBe(text);
    else expect(block!.text).toMatch(text);
  });

  it('makes an error of a tool that returns no task', async () => {
    const { call } = await openHost(fixture('Toolbox'));
    expect(await call('no_task')).toContain('returned null');
  });

  it('refuses a tool that is not there', async () => {
    const { client } = await openHost(fixture('Toolbox'));
    await expect(client.callTool({ name: 'missing' })).rejects.toThrow("Unknown tool: 'missing'");
  });

  it('leaves null members of a schema out', async () => {
    const tools = await toolsOf(fixture('Toolbox'));
    expect(tools.arguments!.inputSchema).toEqual({ type: 'object' });
    expect(tools.sum!.inputSchema).toEqual({
      type: 'object',
      properties: { numbers: { type: 'array', description: 'What to add up' } },
      required: ['numbers'],
    });
    expect(tools.every_schema!.inputSchema).toEqual({
      type: 'object',
      properties: {
        plain: {},
        none: {},
        colour: { type: 'string', description: 'A colour', enum: ['red', 'green'], default: 'red' },
        size: { type: 'integer', enum: [1, 2], default: 2 },
        open: { type: 'array', default: [1, 2] },
      },
    });
  });
  it('finds settings in any case, and takes them out of the environment', async () => {
    const { call } = await openHost(fixture('Toolbox'), { config: { api_key: 'k', 'section:Sub': 'v', flag: 'True' } });
    expect(await call('setting', { key: 'API_KEY' })).toBe('k');
    expect(await call('setting', { key: 'Section:sub' })).toBe('v');
    expect(await call('setting', { key: 'flag' })).toBe('True');
    expect(await call('setting', { key: 'section' })).toBe('null');
    expect(await call('environment', { name: 'MORTISE_PLUGIN_CONFIG' })).toBe('null');
    expect(await call('environment', { name: 'PATH' })).toBe(process.env.PATH);
  });
  it.each(VERSIONS)('runs what was compiled against the published package (%s)', async (version) => {
    const { client, notified } = await openHost(fixture('Published'), { version, config: { setting: 's' } });
    const result = await client.callTool({ name: 'published' }, { onprogress: () => {} });
    expect(result.content).toEqual([
      { type: 'text', text: 's 3/4 key' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]);
    expect(notified('notifications/progress').map(({ progress, total }) => [progress, total])).toEqual([
      [1, 4],
      [2.5, undefined],
    ]);
    const { tools } = await client.listTools();
    expect(tools[0]!.inputSchema).toEqual({
      type: 'object',
      properties: { rows: { type: 'number', description: 'How many', default: 4 } },
      required: [],
    });
  });
  it.each(VERSIONS)('runs the examples of the published API as they are printed (%s)', async (version) => {
    const { client, notified, call, output } = await openHost(fixture('Documented'), {
      version,
      config: { my_api_key: 'key' },
    });
    await output('MyTool loaded, api_key length=3');
    const { tools } = await client.listTools();
    const myTool = tools.find(({ name }) => name === 'my_tool')!;
    expect(myTool.inputSchema).toEqual({
      type: 'object',
      properties: {
        action: { type: 'string', description: 'The operation to perform', enum: ['current', 'forecast'] },
        city: { type: 'string', description: 'City name (e.g. London, Tokyo)' },
      },
      required: ['action', 'city'],
    });
    const args = { action: 'current', city: 'London' };
    const result = await client.callTool({ name: 'my_tool', arguments: args }, { onprogress: () => {} });
    expect(result.content).toEqual([{ type: 'text', text: 'Done' }]);
    const reports = notified('notifications/progress');
    expect(reports.map(({ progress, total, message }) => [progress, total, message])).toEqual([
      [0, 100, 'Starting...'],
      [50, 100, 'Halfway done...'],
      [100, 100, 'Complete'],
    ]);
    expect(await call('testing_tool')).toBe('Done');
  });
  it('names the setting that the constructor of the published example misses', async () => {
    const { client } = await openHost(fixture('Documented'));
    expect(await listProblems(client)).toMatchObject([
      { code: 'CLASS_CONSTRUCTOR_THREW', message: expect.stringContaining('my_api_key must be set in Plugins.Config') },
    ]);
  });
  it.each([
    ['no plugin', [], '{}', 'Usage: dotnet exec Mortise.PluginHost.dll <plugin.dll>'],
    ['an empty name', [''], '{}', 'Usage:'],
    ['two plugins', ['a.dll', 'b.dll'], '{}', 'Usage:'],
    [
      'settings that are not JSON',
      ['a.dll'],
      '{"api_key": secret',
      'MORTISE_PLUGIN_CONFIG is not a JSON object of strings',
    ],
    [
      'settings that are not an object',
      ['a.dll'],
      '["secret"]',
      'MORTISE_PLUGIN_CONFIG is not a JSON object of strings',
    ],
    [
      'settings that are not texts',
      ['a.dll'],
      '{"a": {"b": "secret"}}',
      'MORTISE_PLUGIN_CONFIG is not a JSON object of strings',
    ],
    ['settings that do not come', ['a.dll'], 'stdin:100', 'MORTISE_PLUGIN_CONFIG is not a JSON object of strings'],
  ])('exits with 2 when it is given %s', (_, args, config, message) => {
    const env = { ...process.env, MORTISE_PLUGIN_CONFIG: config };
    const { status, stdout, stderr } = spawnSync('dotnet', ['exec', HOST, ...args], {
      env,
      encoding: 'utf8',
      input: '',
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
  });
});
