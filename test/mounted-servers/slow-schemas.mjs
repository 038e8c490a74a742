// A server whose schemas take forever to check, in lines: MCP 2025-11-25 as far as it goes. Its tools return their arguments.
import { createInterface } from 'node:readline';

const SLOW = '^(a+)+$';
const branch = { properties: { x: { $ref: '#' } }, required: ['x'] };
const OUTPUTS = {
  pattern: { type: 'object', properties: { text: { type: 'string', pattern: SLOW } } },
  names: { type: 'object', patternProperties: { [SLOW]: {} } },
  branches: { type: 'object', anyOf: [branch, branch, { required: ['y'] }] },
  tree: { type: 'object', properties: { name: { type: 'string' }, parts: { items: { $ref: '#' } } } },
};
const TOOLS = [
  ...Object.entries(OUTPUTS).map(([name, outputSchema]) => ({ name, inputSchema: { type: 'object' }, outputSchema })),
  { name: 'endless', inputSchema: { type: 'object', $ref: '#' } },
];
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'slow-schemas', version: '1' },
  }),
  'tools/list': () => ({ tools: TOOLS.map((tool) => ({ description: 'd', ...tool })) }),
  'tools/call': ({ arguments: structuredContent }) => ({
    content: [{ type: 'text', text: 'done' }],
    structuredContent,
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = METHODS[method]?.(params ?? {});
  write(result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } });
});
