import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createTrustedWorkplace, runMortise } from '../packages/server/test/cli/run-mortise.js';
import { connect, shared } from './support/clients.js';

const tool = (name: string) => `export const register = (api) => {
  api.registerTool({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, run: () => 'ok' });
  api.registerPrompt({ name: '${name}', description: 'd', get: () => 'ok' });
  api.registerResource({ uri: 'note://${name}', name: '${name}', read: () => 'ok' });
};`;
const THROWS = `throw new Error('GH_TOKEN is not set');`;

const STARTS_SLOWLY = `await new Promise((resolve) => setTimeout(resolve, 1000));
export const register = (api) =>
  api.registerTool({ name: 'brief', description: 'd', inputSchema: { type: 'object' }, timeoutMs: 200, run: () => 'ok' });`;

const FILES = {
  'plugins/starts-slowly.mjs': STARTS_SLOWLY,

  'plugins/broken.mjs': THROWS,
  'plugins/renamed.mjs': tool('weather'),
  'plugins/fine.mjs': tool('fine'),
};
const Plugins = { Directory: 'plugins', McpServers: { 'my-files': { command: 'no-such-program' } } };

const WAY = { transport: 'stdio', version: '2025-11-25' } as const;

const server = shared(async (finished) => {
  const workplace = createTrustedWorkplace(FILES, { Plugins }, finished);
  await runMortise(workplace, ['list']);
  workplace.write('plugins/renamed.mjs', THROWS);
  return { workplace, client: await connect(workplace, WAY, {}, undefined, [], finished) };
});

async function callError(client: Client, name: string): Promise<{ code: string; text: string }> {
  const { structuredContent, content } = await client.callTool({ name });
  const [{ code }] = (structuredContent as { errors: [{ code: string }] }).errors;
  return { code, text: JSON.stringify(content) };
}

describe('a call of what is not loaded', () => {
  it.each([
    ['the name of its plugin', 'broken', /The plugin 'broken' does not load: .*GH_TOKEN is not set/],
    ['that name and a dot', 'broken.list', /The plugin 'broken' does not load/],
    ['that name and an underscore, in another case', 'Broken_List', /The plugin 'broken' does not load/],
    ['the prefix of a server', 'mcp_my-files_read', /The plugin 'mcp.my-files' does not load: .*no-such-program/],
    ['that prefix in another spelling', 'mcp.my_files.read', /The plugin 'mcp.my-files' does not load/],
    ['a name that the plugin had', 'weather', /The plugin 'renamed' does not load: .*GH_TOKEN is not set/],
  ])('says why, for %s', async (_, name, words) => {
    const { code, text } = await callError(server().client, name);
    expect(code).toBe('PLUGIN_UNAVAILABLE');
    expect(text).toMatch(words);
  });

  it('says why for a prompt and a resource that the plugin had', async () => {
    const { client } = server();
    await expect(client.getPrompt({ name: 'weather' })).rejects.toThrow(/The plugin 'renamed' does not load/);
    await expect(client.readResource({ uri: 'note://weather' })).rejects.toThrow(/The plugin 'renamed' does not load/);
    await expect(client.getPrompt({ name: 'brokenly' })).rejects.toThrow(/Unknown prompt/);
  });

  it('says why on the command line', async () => {
    const { code, stdout } = await runMortise(server().workplace, ['call', 'broken']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/The plugin 'broken' does not load: .*GH_TOKEN is not set/);
  });

  it('stays unknown for any other name, and says which plugins did not load', async () => {
    const { client, workplace } = server();
    await expect(client.callTool({ name: 'brokenly' })).rejects.toThrow(
      'Unknown tool: brokenly. Not loaded: broken, renamed, mcp.my-files.',
    );
    await expect(client.callTool({ name: 'list_files' })).rejects.toThrow(
      /Unknown tool: list_files\. The plugin 'mcp.my-files' did not load: .*no-such-program/,
    );
    const { code, stderr } = await runMortise(workplace, ['call', 'brokenly']);
    expect(code).toBe(3);
    expect(stderr).toContain("There is no tool 'brokenly'. Not loaded: broken, renamed, mcp.my-files.");
  });
});

describe('a plugin whose first load took too long', () => {
  /** Loops at its first load, as on a machine that is busy. */
  const slowOnce = `import fs from 'node:fs';
const warm = new URL('../warm', import.meta.url);
if (!fs.existsSync(warm)) {
  fs.writeFileSync(warm, '');
  for (;;);
}
${tool('slow.one')}`;

  it('is loaded again at a call of a name that can be its, and by no other call', async () => {
    const settings = { Plugins: { Directory: 'plugins', LoadTimeoutMs: 500 } };
    const client = await connect(createTrustedWorkplace({ 'plugins/slow.mjs': slowOnce }, settings), WAY);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['builtin_plugins']);
    await expect(client.callTool({ name: 'other' })).rejects.toThrow(
      /Unknown tool: other\. The plugin 'slow' did not load: The plugin did not load within (?:500 ms of processor time|3000 ms)/,
    );
    await expect.poll(() => client.callTool({ name: 'slow_one' })).toMatchObject({ content: [{ text: 'ok' }] });
  });
});

describe('a tool whose time runs out while its process is still starting', () => {
  it('says so', async () => {
    const { code, text } = await callError(server().client, 'brief');
    expect(code).toBe('OPERATION_TIMEOUT');
    expect(text).toContain('The operation did not end within 200 ms while the plugin was starting');
    expect(text).not.toContain('Tools.TimeoutMs');
  });
});
