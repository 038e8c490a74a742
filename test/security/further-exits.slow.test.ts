import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../support/clients.js';
import { linkContract, makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { LEAKY_SETTINGS, leaksIn, leakyFiles, ROWS, stringsOf, TEXTS } from './exits/leaky-files.js';

/** The exits of `exits.test.ts` over HTTP and 2026-07-28, and those that are only there: pages of output, a server by URL. */
const cleanUps: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const end of cleanUps.reverse()) await end();
});

/** An MCP server over HTTP that answers each call, and each error, with every row. */
const leakyServer = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { id, method, params } = body === '' ? ({} as Record<string, never>) : JSON.parse(body);
    if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const message = answerTo(method, params);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
  });
});

function answerTo(method: string, params: { name?: string }): object {
  if (method === 'initialize')
    return {
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: TEXTS[0], version: '1' },
        instructions: TEXTS.join('\n\n'),
      },
    };
  const tool = (name: string) => ({
    name,
    description: TEXTS.slice(0, 50).join('\n'),
    inputSchema: { type: 'object' },
  });
  if (method === 'tools/list') return { result: { tools: [tool('said'), tool('failed'), tool('rejected')] } };
  if (method !== 'tools/call') return { error: { code: -32601, message: `Method not found: ${TEXTS.join('\n\n')}` } };
  const content = TEXTS.map((text) => ({ type: 'text', text }));
  if (params.name === 'said')
    return { result: { content, structuredContent: { rows: ROWS.map(({ input }) => input) } } };
  if (params.name === 'failed') return { result: { content, isError: true } };
  return { error: { code: -32000, message: TEXTS.join('\n\n'), data: { rows: ROWS.map(({ input }) => input) } } };
}

describe('over HTTP, with 2026-07-28, no secret leaves by', () => {
  let client: Client;

  beforeAll(async () => {
    await new Promise<void>((resolve) => leakyServer.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => void leakyServer.close());
    const { port } = leakyServer.address() as AddressInfo;
    const { Plugins } = LEAKY_SETTINGS;
    const McpServers = { ...Plugins.McpServers, remote: { url: `http://127.0.0.1:${port}/mcp` } };
    const workplace: Workplace = makeWorkplace(leakyFiles(), {
      ...LEAKY_SETTINGS,
      Plugins: { ...Plugins, McpServers },
    });
    cleanUps.push(() => removeWorkplace(workplace));
    linkContract(workplace);
    client = await connect(
      workplace,
      { transport: 'http', version: '2026-07-28' },
      {},
      () => {},
      [],
      (end) => {
        cleanUps.push(end);
      },
    );
  });

  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args }, { timeout: 60_000 }).catch(({ message, data }) => ({ message, data }));

  it.each(['blocks', 'structured', 'json', 'failed', 'errors', 'mcp_leaky_blocks', 'mcp_leaky_failed'])(
    'a result: %s',
    async (name) => {
      expect(leaksIn(stringsOf(await call(name)))).toEqual([]);
      expect(leaksIn(stringsOf(await call(name, { machineReadable: true })))).toEqual([]);
    },
  );

  it.each(['said', 'failed', 'rejected'])('a server by URL: %s', async (name) => {
    const result = await call(`mcp_remote_${name}`);
    expect(JSON.stringify(result).length).toBeGreaterThan(TEXTS.join('').length / 8);
    expect(leaksIn(stringsOf(result))).toEqual([]);
  });

  it('the lists, with what a server by URL says of itself', async () => {
    const lists = [await client.listTools(), await call('builtin_plugins', { action: 'List' })];
    expect(JSON.stringify(lists)).toContain('mcp_remote_said');
    expect(leaksIn(stringsOf(lists))).toEqual([]);
  });

  it('what is thrown', async () => {
    const output: unknown[] = [];
    for (let at = 0; at < ROWS.length; at += 4)
      output.push(await call('thrown', { at }), await call('thrown_value', { at }));
    expect(leaksIn(stringsOf(output))).toEqual([]);
  });

  it.each(['blocks', 'failed', 'mcp_remote_said'])('the pages of the output of %s', async (name) => {
    const result = await call(name);
    const [uri] = /mortise:\/\/outputs\/[\w-]+/.exec(JSON.stringify(result)) ?? [];
    expect(uri).toBeDefined();
    let redacted = '';
    for (let next: string | undefined = uri; next !== undefined; ) {
      const { contents } = await client.readResource({ uri: next });
      redacted += stringsOf(contents);
      next = contents[1]?.uri;
    }
    expect(redacted.length).toBeGreaterThan(TEXTS.join('').length / 2);
    expect(leaksIn(redacted)).toEqual([]);
  });
});
