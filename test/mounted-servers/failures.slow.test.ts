import { describe, expect, it } from 'vitest';
import { codeOf, logOf, pluginsOf, progressOf, textOf } from '../support/observe.js';
import { CAN_SEE_PROCESSES, processesOf } from '../support/processes.js';
import { waitFor } from '../support/wait-for.js';
import { call, entry, mount, OFFICIAL, open, sharedClient, toolNames } from './mounted.js';

describe('a mounted server that dies', () => {
  it.skipIf(!CAN_SEE_PROCESSES)('ends each of a hundred calls with PLUGIN_CRASHED, and runs the next', async () => {
    const workplace = mount({ m: OFFICIAL.modern }, { MaxConcurrentCalls: 100 });
    const client = await open(workplace);
    await call(client, 'echo', { text: '' });
    const lines = logOf(client);
    const calls = Array.from({ length: 100 }, () => call(client, 'wait'));
    await waitFor(() => lines().split('waiting').length > 100);
    const [server] = processesOf(workplace).filter(({ command }) => command.includes('official.mjs'));
    process.kill(server!.pid, 'SIGKILL');
    const codes = (await Promise.all(calls)).map(codeOf);
    expect(new Set(codes)).toEqual(new Set(['PLUGIN_CRASHED']));
    expect(textOf(await call(client, 'echo', { text: 'again' }))).toBe('again');
    await client.close();
    await expect.poll(() => processesOf(workplace)).toEqual([]);
  });

  it('says what it printed last', async () => {
    const client = await open(mount({ m: OFFICIAL.legacy }));
    const died = await call(client, 'die');
    expect(codeOf(died)).toBe('PLUGIN_CRASHED');
    expect(textOf(died)).toContain('it exited with code 7');
    expect(textOf(died)).toContain('Out of cheese');
    expect(textOf(await call(client, 'echo', { text: 'again' }))).toBe('again');
  });

  it('is ended when a call that hangs was cancelled', async () => {
    const workplace = mount({ m: OFFICIAL.modern, other: OFFICIAL.modern });
    const client = await open(workplace, '2025-11-25');
    await call(client, 'echo', { text: '' });
    await expect(call(client, 'hang', {}, { timeout: 300 })).rejects.toThrow();
    const other = await client.callTool({ name: 'mcp_other_echo', arguments: { text: 'not concerned' } });
    expect(textOf(other)).toBe('not concerned');
    expect(textOf(await call(client, 'echo', { text: 'called before it was ended' }))).toBe(
      'called before it was ended',
    );
  });

  it.skipIf(!CAN_SEE_PROCESSES)('leaves nothing when the server is killed', async () => {
    const workplace = mount({ m: OFFICIAL.modern });
    const client = await open(workplace);
    await call(client, 'echo', { text: '' });
    const [server] = processesOf(workplace).filter(({ command }) => command.includes('mortise.mjs'));
    process.kill(server!.pid, 'SIGKILL');
    await expect.poll(() => processesOf(workplace)).toEqual([]);
  });
});

describe('a mounted server that lies', () => {
  const opened = sharedClient({ m: entry('liar') });

  it('loses what is wrong, and nothing else', async () => {
    const { client } = opened();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_m_'));
    expect(names).toContain('mcp_m_good');
    expect(names).toContain('mcp_m_no_object');
    expect(names).toContain('mcp_m_no_schema');
    for (const wrong of ['bad name!']) expect(names.join()).not.toContain(wrong);
    const [plugin] = await pluginsOf(client);
    expect(plugin).toMatchObject({ name: 'mcp.m', path: 'Plugins.McpServers.m', state: 'loaded' });
    expect(plugin!.problems.map(({ code }) => code).sort()).toEqual([
      'RESOURCE_MALFORMED',
      'SCHEMA_UNCHECKED',
      'SCHEMA_UNCHECKED',
      'SERVER_LIST_FAILED',
      'SERVER_LIST_INCOMPLETE',
      'TOOL_NAME_INVALID',
    ]);
  });

  it.each([
    ['good', undefined, 'good'],
    ['breaks', 'TOOL_INVALID_RESULT', 'five'],
    ['empty', 'TOOL_INVALID_RESULT', 'without content'],
    ['no_block', 'TOOL_INVALID_RESULT', 'base64'],
    ['refuses', 'TOOL_ERROR', 'The moon is full'],
    ['nothing', 'TOOL_INVALID_RESULT', 'neither a result nor an error'],
    ['a_list', 'TOOL_INVALID_RESULT', 'neither a result nor an error'],
    ['a_text', 'TOOL_INVALID_RESULT', 'neither a result nor an error'],
  ])('gives for the result of %s: %s', async (name, code, words) => {
    const { client } = opened();
    const result = await call(client, name);
    expect(codeOf(result)).toBe(code);
    expect(textOf(result)).toContain(words);
  });

  it('is ended when it floods the server', async () => {
    const floods = ['floods', 'babbles', 'answers_unasked', 'shouts'];
    const servers = Object.fromEntries(floods.map((tool) => [tool, entry('liar')]));
    const client = await open(mount(servers, { Limits: { MessageBytes: 32 * 1024 * 1024 } }));
    await waitFor(async () => (await toolNames(client)).includes(`mcp_${floods.at(-1)}_${floods.at(-1)}`));
    for (const tool of floods) {
      const flooded = await client.callTool({ name: `mcp.${tool}.${tool}`, arguments: {} });
      expect(codeOf(flooded), tool).toBe('PLUGIN_CRASHED');
      expect(textOf(flooded), tool).toMatch(/exceeded the (message )?rate limit/);
    }
  });

  it('passes progress without a total and with a later one through', async () => {
    const { client } = opened();
    const seen = progressOf(client);
    await call(client, 'vague', {}, { onprogress() {} });
    expect(seen).toEqual([{ progress: 10 }, { progress: 20, total: 30 }]);
  });
});
