import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createClient, startHttp } from './support/clients.js';
import { createWorkplace, type Finished } from './support/workplace.js';

const PLUGIN = `
const any = { type: 'object' };
let release;
export function register(api) {
  api.registerTool({ name: 'echo', description: 'd', inputSchema: any, run: () => 'done' });
  api.registerTool({ name: 'long', description: 'd', inputSchema: any, run: () => 'x'.repeat(8000) });
  api.registerTool({ name: 'wait', description: 'd', inputSchema: any, run: () => new Promise((resolve) => { release = resolve; }) });
  api.registerTool({ name: 'release', description: 'd', inputSchema: any, run: () => { release?.('released'); release = undefined; return 'done'; } });
  api.registerTool({ name: 'held', description: 'd', inputSchema: any, run: () => String(release !== undefined) });
  api.registerTool({ name: 'crash', description: 'd', inputSchema: any, run: () => process.exit(3) });
  api.registerResource({ uri: 'notes://a', name: 'a', read: () => 'a note' });
}`;

export const keyOf = (name: string) => `a-key-of-at-least-32-characters-${name}`;

/** A workplace with these limits and, by name, these keys: `Limits` or `Profile` of each. */
const limitedWorkplace = (Limits: object, keys: Record<string, object>, finished?: Finished, more: object = {}) =>
  createWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    {
      Plugins: { Directory: 'plugins' },
      Limits,
      Auth: { Keys: Object.entries(keys).map(([Name, entry]) => ({ Name, Key: keyOf(Name), ...entry })) },
      Audit: { File: 'audit.jsonl' },
      ...more,
    },
    finished,
  );

/** A server with them, and what opens a client of a key. */
export async function startLimited(
  limits: object,
  keys: Record<string, object>,
  finished: Finished,
  more: object = {},
) {
  const workplace = limitedWorkplace(limits, keys, finished, more);
  const { url } = await startHttp(workplace, [], finished);
  const open = async (name: string, path = ''): Promise<Client> => {
    const client = createClient('2025-11-25');
    const requestInit = { headers: { authorization: `Bearer ${keyOf(name)}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit }));
    finished(() => client.close());
    return client;
  };
  return { url, open, audit: () => readFileSync(join(workplace.folder, 'audit.jsonl'), 'utf8') };
}

export const call = (client: Client, name: string) => client.callTool({ name, arguments: {} });
type Result = Awaited<ReturnType<typeof call>>;
export const textOf = ({ content }: Result) => (content as { text: string }[])[0]!.text;
export const codeOf = ({ structuredContent }: Result) =>
  (structuredContent as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code ?? 'ok';
