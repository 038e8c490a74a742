import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, KEYS, type Reply } from './access/three-keys.js';
import { startHttp } from './support/clients.js';
import { createWorkplace, type Finished } from './support/workplace.js';

const PLUGIN = `
const any = { type: 'object' };
export function register(api) {
  const tool = (name, run, more = {}) => api.registerTool({ name, description: 'd', inputSchema: any, run, ...more });
  tool('works', () => 'done');
  tool('fails', () => ({ isError: true, content: [{ type: 'text', text: 'no' }] }));
  tool('throws', () => { throw new Error('broken'); });
  tool('crashes', () => process.exit(3));
  tool('hangs', () => new Promise(() => {}), { timeoutMs: 300 });
  tool('waits', () => new Promise(() => {}));
  tool('wants', () => 'done', { inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } });
  api.registerResource({ uri: 'notes://bad', name: 'bad', read: () => { throw new Error('broken'); } });
  api.registerPrompt({ name: 'bad', description: 'd', arguments: [{ name: 'a', required: true, complete: () => ['x'] }], get: () => { throw new Error('broken'); } });
}`;

export const LIMITED = 'l'.repeat(32);

export async function openServer(finished: Finished) {
  const workplace = createWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    {
      Plugins: { Directory: 'plugins' },
      Dotnet: { Enabled: false },
      Audit: { File: 'audit.jsonl' },
      Auth: {
        Keys: [
          { Name: 'open', Key: KEYS.open },
          { Name: 'reader', Key: KEYS.reader, Scopes: ['mortise:read'] },
          { Name: 'writer', Key: KEYS.zebra, Scopes: ['mortise:write'] },
          { Name: 'limited', Key: LIMITED, Limits: { ConcurrentCalls: 1 } },
        ],
      },
    },
    finished,
  );
  const { url, stderr } = await startHttp(workplace, [], finished);
  const auditLines = (): Record<string, unknown>[] =>
    readFileSync(join(workplace.folder, 'audit.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const logLines = () =>
    stderr()
      .split('\n')
      .filter((line) => line.startsWith('{'));
  return { workplace, url, auditLines, logLines };
}

export const idOf = ({ body }: Reply): string | undefined =>
  body.result?.structuredContent?.metadata?.callId ?? body.error?.data?.callId;

/** What `fetch` needs to call a tool with a client of 2026-07-28. */
export function callOf(name: string, key: string): RequestInit {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta } }),
  };
}

/** Calls tools of the server, by default with the key that may do everything. */
export const caller =
  (server: () => { url: string }) =>
  (name: string, args: object = {}, key: string = KEYS.open): Promise<Reply> =>
    ask(server().url, key, 'tools/call', { name, arguments: args });
