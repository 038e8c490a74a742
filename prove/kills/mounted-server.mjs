// A small MCP server over stdio, to be mounted: one tool that gives its text back.
import { createInterface } from 'node:readline';

const serverInfo = { name: 'mounted', version: '1' };
const RESULTS = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'far', description: 'd', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { text } }) => ({ content: [{ type: 'text', text }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = RESULTS[method]?.(params ?? {});
  const error = { code: -32601, message: 'unknown' };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`);
});
