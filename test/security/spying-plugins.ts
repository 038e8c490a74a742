import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { connect } from '../support/clients.js';
import { createWorkplace, linkContract, type Workplace } from '../support/workplace.js';

/** What the settings fetch, by who it is fetched for. */
export const VARIABLES = {
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

export const PLUGINS = {
  Directory: 'plugins',
  Config: { shared: 'for all', key: 'of Config', fetched: fetched('CONFIG_KEY') },
  Settings: { weather: { key: fetched('WEATHER_KEY'), region: 'north' }, renamed: { key: 'of renamed' } },
  McpServers: { maps: { command: process.execPath, args: ['server.mjs'], env: { TOKEN: fetched('MAPS_KEY') } } },
};

export function workplaceWith(plugins: object, finished?: Parameters<typeof createWorkplace>[2]): Workplace {
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
export async function seenBy(
  workplace: Workplace,
  tools: Record<string, string>,
  finished?: Parameters<typeof connect>[5],
) {
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

export const ALL = { weather: 'weather', other: 'other', named: 'named', mounted: 'mcp_maps_look' };
