import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startHttp } from './support/clients.js';
import { requestMeta } from './support/raw-stdio.js';
import { createWorkplace } from './support/workplace.js';

/** Answers with a digest of what it was given, the order of members included. */
const DIGEST = `const { createHash } = require('node:crypto');
const inputSchema = { type: 'object', properties: { list: { type: 'array', items: { type: ['number', 'object'] } } } };
module.exports.register = (api) => api.registerTool({
  name: 'digest', description: 'Digest', inputSchema,
  run: (args) => createHash('sha256').update(JSON.stringify(args)).digest('hex') });`;

/** The same as an MCP server. */
const SERVER = `import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
const tools = [{ name: 'digest', inputSchema: { type: 'object' } }];
const serverInfo = { name: 'digest', version: '1' };
const ANSWERS = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => ({ content: [{ type: 'text',
    text: createHash('sha256').update(JSON.stringify(params.arguments)).digest('hex') }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const result = ANSWERS[method]?.(params);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: method } }) }));
}`;

const list = Array.from({ length: 50_000 }, (_, index) => (index % 3 === 0 ? { a: index, ä: 'x\n😀' } : index / 8));

/** Arguments by what is special, as JSON. */
const ARGUMENTS = {
  numbers: JSON.stringify({ list: list.map((_, index) => index * 1.01) }),
  'numbers and objects': JSON.stringify({ list }),
  'line breaks between values': JSON.stringify({ list }, null, '\r\n'),
  'a name that comes twice': `{"list":[1],"list":${JSON.stringify(list)}}`,
  text: JSON.stringify({ text: 'word "ä" \n'.repeat(100_000) }),
};

const RUNNERS = [
  ['a process of its own', 'worker', { Isolation: 'process' }],
  ['the server', 'in process', { Isolation: 'none' }],
  ['a mounted server', 'mounted', { McpServers: { inner: { command: process.execPath, args: ['server.mjs'] } } }],
] as const;

describe.each(RUNNERS)('large arguments of a tool in %s', (_, kind, settings) => {
  const name = kind === 'mounted' ? 'mcp_inner_digest' : 'digest';

  async function open() {
    const files: Record<string, string> =
      kind === 'mounted' ? { 'server.mjs': SERVER } : { 'plugins/digest.cjs': DIGEST };
    const workplace = createWorkplace(files, { Plugins: { Directory: 'plugins', ...settings } });
    const { url } = await startHttp(workplace);
    const request = async (method: string, params: string) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name },
        },
        body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}"_meta":${JSON.stringify(requestMeta())}}}`,
      });
      return (await response.json()) as { result: { content: { text: string }[] } };
    };
    // A mounted server is there when its tools are listed.
    await request('tools/list', '');
    return async (args: string) => {
      const { result } = await request('tools/call', `"name":"${name}","arguments":${args},`);
      return result.content[0]!.text;
    };
  }

  it('arrive as they were sent', async () => {
    const call = await open();
    for (const [what, args] of Object.entries(ARGUMENTS)) {
      const digest = createHash('sha256').update(JSON.stringify(JSON.parse(args)));
      expect(await call(args), what).toBe(digest.digest('hex'));
    }
  });

  it('arrive without the options of the call', async () => {
    const call = await open();
    const args = { list };
    const text = await call(JSON.stringify({ machineReadable: true, ...args }));
    expect(text).toContain(createHash('sha256').update(JSON.stringify(args)).digest('hex'));
  });

  it.runIf(kind !== 'mounted')('are checked', async () => {
    const call = await open();
    expect(await call(JSON.stringify({ list: [...list, 'x'] }))).toContain(
      "'list/50000' must be a number or an object",
    );
    const reserved = JSON.stringify({ list }).replace('"a":0,', '"__proto__":0,');
    expect(await call(reserved)).toContain("'list/0/__proto__' is not allowed");
    expect(await call(`{"list":${JSON.stringify(list)},"deep":${'['.repeat(70)}${']'.repeat(70)}}`)).toContain(
      "'deep' is nested deeper than 64 levels",
    );
  });
});
