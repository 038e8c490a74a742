import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
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

/** Where the plugin is, and what its prompt and its tool are called. */
interface Place {
  readonly files: Record<string, string>;
  readonly plugins: object;
  readonly prompt: string;
  readonly tool: string;
}

export const PLACES: Readonly<Record<string, Place>> = {
  'in a process': { files: { 'plugins/p.cjs': PLUGIN }, plugins: {}, prompt: 'q', tool: 'heard' },
  'in the server': {
    files: { 'plugins/p.cjs': PLUGIN },
    plugins: { Isolation: 'none' },
    prompt: 'q',
    tool: 'heard',
  },
  'on a mounted server': { files: {}, plugins: mounted, prompt: 'mcp.m.q', tool: 'mcp_m_heard' },
};

export const open = ({ files, plugins }: Place, finished: Finished, timeoutMs = 50_000) => {
  const settings = { Plugins: { Directory: 'plugins', ...LIMITS, ...plugins }, Tools: { TimeoutMs: timeoutMs } };
  const workplace = createWorkplace(files, settings, finished);
  const way = { transport: 'stdio', version: '2025-11-25' } as const;
  return connect(workplace, way, {}, undefined, [], finished);
};
export const complete = (client: Client, { prompt }: Place, signal?: AbortSignal) =>
  client.complete(
    { ref: { type: 'ref/prompt', name: prompt }, argument: { name: 'a', value: '' } },
    { ...(signal && { signal }) },
  );
/** How many completions the plugin has heard the end of. */
export const notifiedCount = async (client: Client, { tool }: Place) => {
  const { content } = await client.callTool({ name: tool, arguments: {} });
  return Number((content as { text: string }[])[0]!.text);
};
