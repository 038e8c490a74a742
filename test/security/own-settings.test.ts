import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { connect, shared } from '../support/clients.js';
import { buildCsharpPlugins, installCsharp } from '../support/csharp.js';
import { waitFor } from '../support/wait-for.js';
import { createWorkplace, linkContract, type Workplace } from '../support/workplace.js';

/** What the settings fetch, by who it is fetched for. */
const VARIABLES = {
  WEATHER_KEY: 'value-of-weather',
  MAPS_KEY: 'value-of-maps',
  CONFIG_KEY: 'value-of-config',
  STATE_KEY: 'value-of-the-state-key',
  FREE: 'value-of-free',
};

const fetched = (name: string) => `\${env:${name}}`;

/** A plugin that writes down everything that it can see: its environment, its settings and those that it guesses. */
const SPY = (name: string) => `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
const GUESSES = ['key', 'region', 'shared', 'fetched', 'weather:key', 'Settings:weather:key', 'Plugins:Settings:weather:key'];
export function register(api) {
  api.registerTool({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, run: (args, context) => {
    const settings = Object.fromEntries(GUESSES.map((key) => [key, context.getConfig(key)]));
    writeFileSync(join(process.env.HOME, '${name}.json'), JSON.stringify({ env: process.env, settings }));
    return 'done';
  } });
}`;

/** The same of a plugin with settings of its own under another name than its file's. */
const NAMED = `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definePlugin } from '@mortise/plugin';
export default definePlugin({ name: 'renamed', config: { type: 'object' }, register(api, config) {
  api.registerTool({ name: 'named', description: 'd', inputSchema: { type: 'object' }, run: (args, context) => {
    const settings = { key: context.getConfig('key'), shared: context.getConfig('shared') };
    writeFileSync(join(process.env.HOME, 'named.json'), JSON.stringify({ env: process.env, settings, config }));
    return 'done';
  } });
} });`;

const SERVER = `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
writeFileSync(join(process.env.HOME, 'mounted.json'), JSON.stringify({ env: process.env, settings: {} }));
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } },
  'tools/list': { tools: [{ name: 'look', description: 'd', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: 'unknown' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
}`;

const PLUGINS = {
  Directory: 'plugins',
  Config: { shared: 'for all', key: 'of Config', fetched: fetched('CONFIG_KEY') },
  Settings: { weather: { key: fetched('WEATHER_KEY'), region: 'north' }, renamed: { key: 'of renamed' } },
  McpServers: { maps: { command: process.execPath, args: ['server.mjs'], env: { TOKEN: fetched('MAPS_KEY') } } },
};

function workplaceWith(plugins: object, finished?: Parameters<typeof createWorkplace>[2]): Workplace {
  const workplace = createWorkplace(
    {
      'plugins/weather.mjs': SPY('weather'),
      'plugins/other.mjs': SPY('other'),
      'plugins/file.mjs': NAMED,
      'server.mjs': SERVER,
    },
    { Plugins: { ...PLUGINS, ...plugins }, Http: { StateKey: fetched('STATE_KEY') } },
    finished,
  );
  linkContract(workplace);
  Object.assign(workplace.env, VARIABLES);
  return workplace;
}

interface Seen {
  readonly env: Record<string, string>;
  readonly settings: Record<string, string | null>;
}

/** Calls the tools, and reads what their plugins have seen: the settings, and the variables of this test. */
async function seenBy(workplace: Workplace, tools: Record<string, string>, finished?: Parameters<typeof connect>[5]) {
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' }, {}, () => {}, [], finished);
  const seen: Record<string, Seen & { variables: string[] }> = {};
  for (const [name, tool] of Object.entries(tools)) {
    const result = await client.callTool({ name: tool, arguments: {} });
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    const file = JSON.parse(readFileSync(join(workplace.env.HOME!, `${name}.json`), 'utf8')) as Seen;
    seen[name] = { ...file, variables: Object.keys(VARIABLES).filter((variable) => variable in file.env) };
  }
  return seen;
}

const ALL = { weather: 'weather', other: 'other', named: 'named', mounted: 'mcp_maps_look' };

describe('a plugin that writes down its whole environment and configuration', () => {
  const seen = shared((finished) => seenBy(workplaceWith({}, finished), ALL, finished));

  it('sees its own section first, and then what is shared', () => {
    expect(seen().weather!.settings).toEqual({
      key: VARIABLES.WEATHER_KEY,
      region: 'north',
      shared: 'for all',
      fetched: VARIABLES.CONFIG_KEY,
      'weather:key': null,
      'Settings:weather:key': null,
      'Plugins:Settings:weather:key': null,
    });
    expect(seen().named!.settings).toEqual({ key: 'of renamed', shared: 'for all' });
  });

  it('sees no section of another plugin', () => {
    expect(seen().other!.settings).toMatchObject({ key: 'of Config', region: null, 'Settings:weather:key': null });
  });

  it('sees no variable that was fetched for another plugin, a mounted server or the server itself', () => {
    expect(seen().weather!.variables).toEqual(['WEATHER_KEY', 'CONFIG_KEY', 'FREE']);
    expect(seen().other!.variables).toEqual(['CONFIG_KEY', 'FREE']);
    expect(seen().named!.variables).toEqual(['CONFIG_KEY', 'FREE']);
    expect(JSON.stringify(seen().other)).not.toMatch(/value-of-(?:weather|maps|the)/);
  });

  it('sees as a mounted server the usual variables, its entry, and what was fetched for it', () => {
    expect(seen().mounted!.variables).toEqual(['MAPS_KEY']);
    expect(seen().mounted!.env.TOKEN).toBe(VARIABLES.MAPS_KEY);
  });
});

it('sees nothing that is shared with Plugins.ShareConfig false', async () => {
  const { other } = await seenBy(workplaceWith({ ShareConfig: false }), { other: 'other' });
  expect(other!.variables).toEqual(['FREE']);
  expect(Object.values(other!.settings).every((value) => value === null)).toBe(true);
});

it('sees what Plugins.Environment and Plugins.Environments allow', async () => {
  const workplace = workplaceWith({ Environment: 'usual', Environments: { other: ['FREE'] } });
  const { weather, other } = await seenBy(workplace, { weather: 'weather', other: 'other' });
  expect(weather!.variables).toEqual(['WEATHER_KEY']);
  expect(other!.variables).toEqual(['FREE']);
});

it('shares no process with others while definitions are learnt', async () => {
  const workplace = workplaceWith({});
  // Of so many plugins the first ones share a few processes; each writes down what others have left there.
  const note = (name: string) => `globalThis.seen = [...(globalThis.seen ?? []), '${name}'];
    require('node:fs').writeFileSync(require('node:path').join(process.env.HOME, 'neighbours-${name}'), String(globalThis.seen));
    module.exports.register = (api) => api.registerTool({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, run: () => 1 });`;
  const names = Array.from({ length: 24 }, (_, index) => `plugin${index}`);
  for (const name of names) workplace.write(`plugins/${name}.cjs`, note(name));
  const settings = JSON.parse(readFileSync(workplace.config, 'utf8'));
  settings.Plugins.Settings.plugin0 = { key: 'of plugin0' };
  workplace.write('appsettings.json', JSON.stringify(settings));
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  await client.listTools();
  const file = (name: string) => join(workplace.env.HOME!, `neighbours-${name}`);
  const seenBefore = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').split(',') : []);
  // Under load the list may come before the last plugin has loaded.
  await waitFor(() => names.every((name) => seenBefore(name).at(-1) === name));
  const neighbours = names.map(seenBefore);
  expect(neighbours.some((found) => found.length > 1)).toBe(true);
  expect(neighbours.filter((found) => found.includes('plugin0'))).toEqual([['plugin0']]);
});

describe.skipIf(!hasSdk)('a C# plugin', { timeout: 300_000 }, () => {
  beforeAll(buildCsharpPlugins, 600_000);

  it('sees its own section first, and no section of another plugin', async () => {
    const workplace = workplaceWith({ Settings: { ...PLUGINS.Settings, kit: { key: 'of kit' } } });
    installCsharp(workplace, 'Kit', 'kit');
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => /config/i.test(name))!.name;
    const read = async (key: string) => {
      const { content } = await client.callTool({ name: tool, arguments: { key } });
      return (content as { text: string }[])[0]!.text;
    };
    expect(await read('key')).toBe('of kit');
    expect(await read('shared')).toBe('for all');
    expect(await read('region')).toBe('null');
  });
});
