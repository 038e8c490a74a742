import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { describe, it } from 'vitest';
import { connect } from './support/clients.js';
import { createWorkplace, type Finished } from './support/workplace.js';

const PLUGIN = `let cancelled = 0;
module.exports.register = (api) => {
  const complete = (value, { signal }) => new Promise(() => signal.addEventListener('abort', () => (cancelled += 1)));
  api.registerPrompt({ name: 'q', arguments: [{ name: 'a', complete }, { name: 'b', complete: () => ['b'] }], get: () => 'x' });
  api.registerTool({ name: 'heard', description: 'Counts.', inputSchema: { type: 'object' }, run: () => String(cancelled) });
};`;
const SERVER = fileURLToPath(new URL('./mounted-servers/slow-completions.mjs', import.meta.url));
/** Of four slots a quarter is one. */
const LIMITS = { MaxConcurrentCalls: 4, MaxQueuedCalls: 4 };
const mounted = { McpServers: { m: { command: process.execPath, args: [SERVER] } } };

// They wait for seconds: at the same time.
describe.concurrent.each([
  { where: 'in a process', files: { 'plugins/p.cjs': PLUGIN }, plugins: {}, prompt: 'q', tool: 'heard' },
  {
    where: 'in the server',
    files: { 'plugins/p.cjs': PLUGIN },
    plugins: { Isolation: 'none' },
    prompt: 'q',
    tool: 'heard',
  },
  { where: 'on a mounted server', files: {}, plugins: mounted, prompt: 'mcp.m.q', tool: 'mcp_m_heard' },
])('completions of a plugin $where', ({ files, plugins, prompt, tool }) => {
  const open = (finished: Finished, timeoutMs = 50_000) => {
    const settings = { Plugins: { Directory: 'plugins', ...LIMITS, ...plugins }, Tools: { TimeoutMs: timeoutMs } };
    const workplace = createWorkplace(files as Record<string, string>, settings, finished);
    const way = { transport: 'stdio', version: '2025-11-25' } as const;
    return connect(workplace, way, {}, undefined, [], finished);
  };
  const complete = (client: Client, signal?: AbortSignal) =>
    client.complete(
      { ref: { type: 'ref/prompt', name: prompt }, argument: { name: 'a', value: '' } },
      { ...(signal && { signal }) },
    );
  const isNotified = async (client: Client) => {
    const { content } = await client.callTool({ name: tool, arguments: {} });
    return Number((content as { text: string }[])[0]!.text);
  };

  it('end when the time of the plugin is over, and the plugin hears of it', async ({ onTestFinished, expect }) => {
    const client = await open(onTestFinished, 3_000);
    await expect.poll(() => isNotified(client)).toBe(0);
    const startedAt = performance.now();
    const { completion } = await complete(client);
    expect(completion).toEqual({ values: [], total: 0, hasMore: false });
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    await expect.poll(() => isNotified(client)).toBe(1);
  });

  it('have slots of their own, end when they are cancelled, and after 5 s at the latest', async ({
    onTestFinished,
    expect,
  }) => {
    const client = await open(onTestFinished);
    await isNotified(client);
    const cancel = new AbortController();
    const startedAt = performance.now();
    const first = complete(client, cancel.signal).catch((error: Error) => error);
    const second = complete(client);
    // One is running and one is queued; the calls of the plugin continue.
    await expect(complete(client)).rejects.toThrow(/busy/);
    expect(await isNotified(client)).toBe(0);
    cancel.abort();
    expect(await first).toBeInstanceOf(Error);
    await expect.poll(() => isNotified(client)).toBe(1);
    expect((await second).completion.values).toEqual([]);
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(4_900);
    expect(tookMs).toBeLessThan(9_000);
    await expect.poll(() => isNotified(client)).toBe(2);
  });
});
