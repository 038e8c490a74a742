// A server of 2025-11-25, in lines, whose schemas are those that SDK clients list and call, though they are not quite JSON
// Schema. Each of its tools returns the arguments that it gets. The pages of its lists never end.
import { createInterface } from 'node:readline';

const object = (properties, more) => ({ type: 'object', properties, ...more });
const INPUTS = {
  flags: object({ x: { type: 'string', pattern: '(?i)^x$' } }),
  draft4: object({ x: { type: 'number', minimum: 0, exclusiveMinimum: true } }),
  dialect: object({ x: { type: 'number' } }, { $schema: 'http://json-schema.org/draft-04/schema#' }),
  remote: object({ x: { $ref: 'https://example.org/x.json' } }),
  any: object({ x: { type: 'any' } }),
  root: { type: ['object', 'null'], properties: { x: {} } },
  usual: object({ x: { type: 'string', default: 'y' }, strict: { type: 'boolean' } }, { required: ['x', 'strict'] }),
  bare: { type: 'object' },
  act: object({ action: { type: 'string', enum: ['Read', 'Write'], default: 'Write' } }, { required: ['action'] }),
};
const dynamic = {
  ...object({ x: { $dynamicRef: '#n' } }, { required: ['x'] }),
  $defs: { n: { $dynamicAnchor: 'n', type: 'string' } },
};
const tools = [
  ...Object.entries(INPUTS).map(([name, inputSchema]) => ({ name, description: 'Echoes.', inputSchema })),
  {
    name: 'output',
    description: 'Has an outputSchema that leads nowhere.',
    inputSchema: object({}),
    outputSchema: object({ x: { $ref: '#/$defs/none' } }),
  },
  { name: 'dynamic', description: 'Has a dynamic reference.', inputSchema: object({}), outputSchema: dynamic },
];
let count = 0;
const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'doubtful', version: '1' },
  }),
  ping: () => ({}),
  // An empty cursor on every page, one that stays the same, new ones without end, and new ones with pages that have nothing.
  'tools/list': () => ({ tools, nextCursor: '' }),
  'resources/list': () => ({ resources: [{ uri: 'thing://one', name: 'one' }], nextCursor: 'same' }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'thing://{x}', name: 'x' }],
    nextCursor: `${count++}`,
  }),
  'prompts/list': ({ cursor }) => ({
    prompts: cursor ? [] : [{ name: 'p', description: 'd' }],
    nextCursor: `${count++}`,
  }),
  'tools/call': ({ name, arguments: args }) => ({
    content: [{ type: 'text', text: JSON.stringify(args) }],
    ...(['output', 'dynamic'].includes(name) && { structuredContent: { x: 'abc' } }),
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const result = METHODS[method]?.(params);
  const error = { code: -32601, message: 'Method not found' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
});
