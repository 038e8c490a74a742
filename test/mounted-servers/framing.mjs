// A server of 2025-11-25, in lines, that writes its responses in the way that its argument names.
import { createInterface } from 'node:readline';

const [way] = process.argv.slice(2);
const lineOf = (message) => `${JSON.stringify(message)}\n`;
const WAYS = {
  plain: (response) => lineOf(response),
  bom: (response) => `\uFEFF${lineOf(response)}`,
  text_id: ({ id, ...response }) => lineOf({ ...response, id: String(id) }),
  null_error: (response) => lineOf({ error: null, ...response }),
  extra: (response) => lineOf({ ...response, timing: 5 }),
  no_version: ({ jsonrpc: _, ...response }) => lineOf(response),
  other_id: (response) => lineOf({ ...response, id: 'none' }),
  last_line: (response) => (response.result?.content ? lineOf(response).trimEnd() : lineOf(response)),
};
const RESULTS = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'f', version: '1' } },
  ping: {},
  'tools/list': { tools: [{ name: 'hi', description: 'd', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'hi' }] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = RESULTS[method];
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(WAYS[way]({ jsonrpc: '2.0', id, ...answer }), () => {
    if (way === 'last_line' && method === 'tools/call') process.exit();
  });
});
