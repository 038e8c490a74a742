// A server whose schemas take forever to check, in lines: MCP 2025-11-25 as far as it goes.
import { createInterface } from 'node:readline';

const SLOW = '^(a+)+$';
const slowText = `${'a'.repeat(40)}!`;
const object = { type: 'object' };
const branch = { properties: { x: { $ref: '#' } }, required: ['x'] };
const TOOLS = [
  { name: 'pattern', inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: SLOW } } } },
  { name: 'names', inputSchema: { type: 'object', patternProperties: { [SLOW]: {} } } },
  { name: 'branches', inputSchema: { type: 'object', anyOf: [branch, branch, { required: ['y'] }] } },
  { name: 'endless', inputSchema: { type: 'object', $ref: '#' } },
  {
    name: 'result',
    inputSchema: object,
    outputSchema: { type: 'object', properties: { text: { type: 'string', pattern: SLOW } } },
  },
  {
    name: 'tree',
    inputSchema: { type: 'object', properties: { name: { type: 'string' }, parts: { items: { $ref: '#' } } } },
  },
];
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'slow-schemas', version: '1' },
  }),
  'tools/list': () => ({ tools: TOOLS.map((tool) => ({ description: 'd', ...tool })) }),
  'tools/call': ({ name }) => ({
    content: [{ type: 'text', text: 'done' }],
    ...(name === 'result' && { structuredContent: { text: slowText } }),
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = METHODS[method]?.(params ?? {});
  write(result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } });
});
