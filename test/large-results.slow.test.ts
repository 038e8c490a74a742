import { describe, expect, it } from 'vitest';
import { connect } from './support/clients.js';
import { createWorkplace } from './support/workplace.js';

const SECRET = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789';
const COUNT = 30_000;
const LIST = `Array.from({ length: ${COUNT} }, (_, index) => ({ index, text: index === 7 ? '${SECRET}' : 'word ' + index }))`;

const PLUGIN = `module.exports.register = (api) => api.registerTool({
  name: 'list', description: 'A large list', inputSchema: { type: 'object' },
  run: () => ({ content: 'listed', structuredContent: { list: ${LIST} } }) });`;

const SERVER = `import { createInterface } from 'node:readline';
const serverInfo = { name: 'list', version: '1' };
const ANSWERS = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
  'tools/list': () => ({ tools: [{ name: 'list', description: 'A large list', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'listed' }], structuredContent: { list: ${LIST} } }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const result = ANSWERS[method]?.();
  if (id === undefined) continue;
  const answer = { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: method } }) };
  const isLast = process.argv[2] === '--once' && method === 'tools/call';
  process.stdout.write(JSON.stringify(answer) + '\\n', () => isLast && process.exit());
}`;

const expected = Array.from({ length: COUNT }, (_, index) => ({
  index,
  text: index === 7 ? '[REDACTED]' : `word ${index}`,
}));

describe.each([
  ['a process of its own', 'list', { 'plugins/list.cjs': PLUGIN }, {}],
  [
    'a mounted server',
    'mcp_inner_list',
    { 'server.mjs': SERVER },
    { McpServers: { inner: { command: process.execPath, args: ['server.mjs'] } } },
  ],
] as const)('a large result of a tool in %s', (_, name, files, settings) => {
  it('arrives whole and redacted, and so do results of other calls meanwhile', async () => {
    const workplace = createWorkplace({ ...files }, { Plugins: { Directory: 'plugins', ...settings } });
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    await client.listTools();
    const calls = Array.from({ length: 3 }, () => client.callTool({ name, arguments: {} }));
    const list = client.callTool({ name: 'builtin_plugins', arguments: { action: 'List' } });
    for (const call of calls) expect((await call).structuredContent).toEqual({ list: expected });
    expect((await list).isError).toBeFalsy();
  });
});

it('a large result arrives whole from a mounted server that ends right after it', async () => {
  const workplace = createWorkplace(
    { 'server.mjs': SERVER },
    {
      Plugins: { McpServers: { inner: { command: process.execPath, args: ['server.mjs', '--once'] } } },
    },
  );
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  await client.listTools();
  const { structuredContent } = await client.callTool({ name: 'mcp_inner_list', arguments: {} });
  expect(structuredContent).toEqual({ list: expected });
});
